"""Playing a run's games on other machines. Where to look for what:

    at_worker         what runs in a worker there: says what it has, takes submissions in, plays games
    replies           what workers send back: plain data, checked before anything is believed; what a worker says of its
                      machine, and why it may not be used
    remote_executor   one worker, as the runner sees it: games in portions, one portion at a time; what is needed of a cluster;
                      submissions on their way, once to each machine
    cluster_pool      the workers of a run: asked when they join, given up when they are not heard of
    kits              what a cluster is started with: certificates, a wheel, the lines to type
    dask_link         a cluster of dask.distributed

The store stays with whoever started the run. docs/cluster.md says what is guaranteed and what is not.
"""
