/* PufferLib's Go (ocean/go) against its own opponent, for benchmarks/environments_others.py, which builds this beside it. */

#include "go.h"

static unsigned long long lots = 88172645463325252ULL;

static unsigned below(unsigned bound) {
    lots ^= lots << 13, lots ^= lots >> 7, lots ^= lots << 17;
    return (lots >> 32) * bound >> 32;
}

CGo *begin(int games, int size) {
    CGo *envs = calloc(games, sizeof(CGo));
    for (CGo *env = envs; env < envs + games; env++) {
        env->grid_size = size, env->komi = 7.5f, env->grid_square_size = 64;
        allocate(env);
        c_reset(env);
    }
    return envs;
}

/* Takes steps of all games, each on a point drawn from the empty ones. Returns in how many the agent's move was valid, so that
   the opponent answered. */
long play(CGo *envs, int games, int steps) {
    long answered = 0;
    while (steps-- > 0)
        for (CGo *env = envs; env < envs + games; env++) {
            int points = env->grid_size * env->grid_size, empty = 0, before = env->moves_made, action = NOOP;
            for (int k = 0; k < points; k++)
                empty += env->board_states[k] == 0;
            int left = empty ? below(empty) : -1;
            for (int k = 0; left >= 0; k++)
                if (env->board_states[k] == 0 && left-- == 0)
                    action = k + MOVE_MIN;
            env->actions[0] = action;
            c_step(env);
            answered += env->moves_made > before;
        }
    return answered;
}
