"""Learning with torch: cross-entropy to the planner's policies, squared error of the value, and the game's other targets.

Sources: Silver and others, "Mastering the game of Go without human knowledge", 2017, for the losses; Wu, "Accelerating
Self-Play Learning in Go", 2019, for margin and owners; Loshchilov and Hutter, "Decoupled weight decay regularization", ICLR
2019, for the optimiser; Chowdhery and others, "PaLM", 2022, section 5, for the bound on what all actions have in common.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from goban.common.files import check_array
from golearn.alphazero.games import Rows, States
from golearn.alphazero.networks import TorchHeads, TorchNetwork, load_network, network_evaluator, twin
from golearn.alphazero.planners import Evaluation, Evaluator
from golearn.alphazero.plans import Plan
from golearn.alphazero.rounds import Arrays, Losses
from golearn.alphazero.selfplay import Batch
from golearn.alphazero.weights import Weights
from golearn.errors import without_extra

try:
    import torch
    from torch import Tensor
    from torch.nn import functional
except ImportError as error:
    raise without_extra(error, "zero") from None

_MOMENTS = ("step", "exp_avg", "exp_avg_sq")
_WIDE = 1.0
"""Errors of the margin, as a share of the board, from which on they count linearly."""
_ADDEND = 1e-4
"""Weight of a loss of its own: the square of the logarithm of the sum that a policy is divided by.

What is added to all logits alike changes no policy, so nothing else holds it: in 200,000 games on 5x5 rounding alone, which the
optimiser takes for a gradient, had carried it to -4,000, where 32 bits are too few to tell actions apart well.
"""


class Learner:
    """See `golearn.alphazero.rounds.Learner`. Threads learn from a batch in parts; one order adds up their gradients."""

    def __init__(self, plan: Plan, weights: Weights, device: str = "auto") -> None:
        """weights: to begin with. Raises BadDeviceError."""
        self.plan, self.network = plan, load_network(weights, device)
        self.device = next(self.network.parameters()).device
        self._evaluate = network_evaluator(self.network)
        self._twins = [twin(self.network) for _ in range(1, min(plan.threads, plan.batch))]
        self._map = ThreadPoolExecutor(len(self._twins)).map if self._twins else map
        self._optimiser = torch.optim.AdamW(self.network.parameters(), lr=plan.rate, weight_decay=plan.weight_decay, fused=True)

    def __reduce__(self) -> tuple[Callable[..., Learner], tuple[Plan, Weights, str, Arrays]]:
        """Copies are made anew: the evaluator and the threads' twins belong to one network."""
        return _go_on, (self.plan, self.weights(), str(self.device), self.moments())

    def evaluator(self) -> Evaluator:
        """Return the network as an evaluator for several threads; each call keeps to its own."""
        # Before the first of these threads asks: MKL has one number for all of them.
        _use_one_thread()

        def alone(states: States, rows: Rows) -> Evaluation:
            _use_one_thread()
            return self._evaluate(states, rows)

        return alone

    def learn(self, batch: Batch, rate: float) -> Losses:
        """Take one step; return the losses before it: policy, value, margin, owners."""
        parts = _parts(batch, 1 + len(self._twins), self.device)
        others = self._map(self._backpropagate, self._twins, parts[1:])
        losses = [self._backpropagate(self.network, parts[0]), *others]
        for parameter, *same in zip(*(network.parameters() for network in (self.network, *self._twins)), strict=True):
            for one in same:
                parameter.grad.add_(one.grad)
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.plan.clip)
        self._optimiser.param_groups[0]["lr"] = rate
        self._optimiser.step()
        return {name: sum(part[name] for part in losses) for name in losses[0]}

    def _backpropagate(self, network: TorchNetwork, part: Batch) -> Losses:
        """Give a network the gradients of a part of a batch; return what it adds to the losses."""
        _use_one_thread()
        said = network(part.planes)
        losses = _losses(said, part)
        weighted = [_ADDEND * (torch.logsumexp(said.logits, dim=1) ** 2 * part.has_policy).sum()]
        weighted += [loss * (1 if name in ("policy", "value") else self.plan.auxiliary) for name, loss in losses.items()]
        network.zero_grad()
        torch.stack(weighted).sum().backward()
        return {name: float(loss.detach()) for name, loss in losses.items()}

    def weights(self) -> Weights:
        """Return the network."""
        return self.network.weights({})

    def moments(self) -> Arrays:
        """Return the optimiser's state; {} before the first step."""
        names, states = list(self.network.arrays), self._optimiser.state_dict()["state"]
        return {f"{names[k]}.{kind}": state[kind].cpu().numpy().copy() for k, state in states.items() for kind in _MOMENTS}

    def restore(self, weights: Weights, moments: Arrays) -> None:
        """Go on from what `weights` and `moments` returned."""
        for name, array in weights.arrays.items() if moments else ():
            for kind in _MOMENTS[1:]:
                check_array(f"{name}.{kind}", moments[f"{name}.{kind}"], array.dtype, array.shape)
        self.network.load(weights)
        state = self._optimiser.state_dict()
        state["state"] = {
            k: {kind: torch.from_numpy(moments[f"{name}.{kind}"].copy()) for kind in _MOMENTS}
            for k, name in enumerate(self.network.arrays)
            if moments
        }
        self._optimiser.load_state_dict(state)


def _go_on(plan: Plan, weights: Weights, device: str, moments: Arrays) -> Learner:
    learner = Learner(plan, weights, device)
    learner.restore(weights, moments)
    return learner


def _use_one_thread() -> None:
    # OpenMP has a number for each thread of Python. Several threads of its own would wait for each other at every layer.
    if torch.get_num_threads() != 1:
        torch.set_num_threads(1)


def _parts(batch: Batch, count: int, device: torch.device) -> list[Batch]:
    """Return a batch as tensors, in parts. Instead of whether a position has a target, they say its share of a batch's mean."""
    columns = []
    for name, array in batch._asdict().items():
        tensor = torch.from_numpy(array).to(device)
        if name.startswith("has_"):
            tensor = tensor / tensor.sum().clamp(min=1)
        columns.append(tensor.tensor_split(count))
    return [Batch(*rows) for rows in zip(*columns, strict=True)]


def _losses(said: TorchHeads, part: Batch) -> dict[str, Tensor]:
    """Return what part of a batch adds to each of its mean losses; its `has_...` are shares."""
    policy = -(part.policies * functional.log_softmax(said.logits, dim=1)).sum(dim=1)
    found = {"policy": (policy * part.has_policy).sum(), "value": ((said.values - part.values) ** 2 * part.has_value).sum()}
    if said.margins is not None:
        points = part.owners.shape[1]
        wrong = functional.huber_loss(said.margins, part.margins / points, reduction="none", delta=_WIDE)
        found["margin"] = (wrong * part.has_ending).sum()
    if said.ownership is not None:
        wrong = ((said.ownership.flatten(1) - part.owners) ** 2).mean(dim=1)
        found["owners"] = (wrong * part.has_ending).sum()
    return found
