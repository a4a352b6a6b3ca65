"""What DeepMind's mctx finds in the random trees, as JSON. It needs mctx and jax, which nothing else here does:

    python3 -m venv build/mctx; build/mctx/bin/pip install mctx==0.0.71 jax==0.10.2
    build/mctx/bin/python -m tests.support.record_mctx > tests/golearn/alphazero/mctx.json
"""

import functools
import json
from unittest import mock

import jax
import jax.numpy as jnp
import mctx
import numpy as np

from tests.support.random_trees import games

jax.config.update("jax_enable_x64", True)
LOWEST = float(np.finfo(np.float32).min)


def step(game, params, key, actions, nodes):
    """One action in every tree; after an end nothing happens any more."""
    trees = jnp.arange(len(nodes))
    after = jnp.where(game.over[trees, nodes], nodes, game.next[trees, nodes, actions])
    done, ended = game.over[trees, nodes], game.over[trees, after]
    turn = game.players[trees, nodes] * game.players[trees, after]
    out = mctx.RecurrentFnOutput(
        reward=jnp.where(ended & ~done, game.results[trees, after] * game.players[trees, nodes], 0).astype(jnp.float64),
        discount=jnp.where(ended, 0, turn).astype(jnp.float64),
        prior_logits=jnp.where(game.legal[trees, after], game.logits[trees, after].astype(jnp.float64), LOWEST),
        value=game.values[trees, after].astype(jnp.float64),
    )
    return out, after


def searched(game, simulations, considered):
    """The policy's output, with the game's draws in the place of its own."""
    for name in ("next", "legal", "players", "over", "results", "logits", "values"):
        setattr(game, name, jnp.asarray(getattr(game, name)))
    root = mctx.RootFnOutput(
        prior_logits=game.logits[:, 0].astype(jnp.float64), value=game.values[:, 0].astype(jnp.float64),
        embedding=jnp.zeros(len(game.values), jnp.int64),
    )  # fmt: skip
    with mock.patch("jax.random.gumbel", return_value=jnp.asarray(game.draws, jnp.float64)):
        return mctx.gumbel_muzero_policy(
            None, jax.random.PRNGKey(0), root, functools.partial(step, game), simulations,
            invalid_actions=~game.legal[:, 0], max_num_considered_actions=considered,
        )  # fmt: skip


def root_values(tree, policies):
    """The mean of the completed q of the roots' actions, by the improved policy."""
    bare = functools.partial(
        mctx.qtransform_completed_by_mix_value, node_index=0, value_scale=1.0, maxvisit_init=0.0, rescale_values=False
    )
    # It multiplies by the visits of the most visited action.
    completed = jax.vmap(bare)(tree) / tree.summary().visit_counts.max(axis=1, keepdims=True)
    return (policies * completed).sum(axis=1)


def main():
    found = []
    for _, simulations, considered, game in games():
        out = searched(game, simulations, considered)
        summary = out.search_tree.summary()
        found.append(
            {
                "visits": np.asarray(summary.visit_counts).tolist(),
                "actions": np.asarray(out.action).tolist(),
                "policies": np.round(np.asarray(out.action_weights), 7).tolist(),
                "values": np.round(np.asarray(root_values(out.search_tree, out.action_weights)), 7).tolist(),
            }
        )
    print("[", ",\n".join(json.dumps(entry) for entry in found), "]", sep="\n")


if __name__ == "__main__":
    main()
