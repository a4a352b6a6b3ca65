"""Thinks with a pool of processes, queues and shared numbers, as honest programs may."""

import concurrent.futures
import multiprocessing
from multiprocessing import shared_memory

# From Python 3.14 on, others are the default, which need sockets with names.
helpers = multiprocessing.get_context("fork")


def square(number):
    return number * number


def fill(queue, number):
    number.value = 7
    queue.put("done")


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2:
            with helpers.Pool(2) as pool:
                squares = pool.map(square, range(8))
            queue, number = helpers.Queue(), helpers.Value("i", 0)
            helper = helpers.Process(target=fill, args=(queue, number))
            helper.start()
            with concurrent.futures.ThreadPoolExecutor(2) as threads:
                sums = list(threads.map(sum, [(1, 2), (3, 4)]))
            if (squares[-1], sums, queue.get(), number.value) != (49, [3, 7], "done", 7):
                raise RuntimeError("its helpers do not work")
            helper.join()
            block = shared_memory.SharedMemory(create=True, size=4096)
            block.buf[0] = 1
            block.close()
            block.unlink()
        return first_legal(go, piece_type)
