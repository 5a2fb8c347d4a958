"""A learner of fifty lines: PPO learns Hanabi beside a partner from the zoo, on one core. `python learner.py 300`."""

import sys
import time
from collections.abc import Iterator

import torch
from torch import nn

from kagiya import Rules
from kagiya.rl import Batch, Encoding, Episodes

LANES, STEPS, DISCOUNT, TRACE = 256, 32, 0.99, 0.95


def learn(seconds: float, partner: str = "smartbot", seed: int = 1) -> Iterator[tuple[float, int, float]]:
    """Learn for so many seconds of CPU time; now and then: seconds, moves made, the mean score of games since."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    batch = Batch(Rules(players=2), LANES, Encoding(numbers="float32"), Episodes("score"), partner)
    entries, numbers = batch.encoding.entries(batch.rules), batch.encoding.moves(batch.rules)
    body = nn.Sequential(nn.Linear(entries, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU())
    network = body.append(nn.Linear(128, numbers + 1))  # what to do, and last what it will come to
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3, eps=1e-5)

    def judge(vectors: torch.Tensor, masks: torch.Tensor) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        out = network(vectors)
        return torch.distributions.Categorical(logits=out[:, :-1].masked_fill(masks == 0, -1e9)), out[:, -1]

    batch.reset(seed)
    score, games, moves, started = 0, 0, 0, time.process_time()
    while (spent := time.process_time() - started) < seconds:
        story = []
        for _ in range(STEPS):
            seen = torch.from_numpy(batch.vectors).clone(), torch.from_numpy(batch.masks).clone()
            with torch.no_grad():
                policy, values = judge(*seen)
            actions = policy.sample()
            _, rewards, ended = batch.step(actions.numpy())
            score, games, moves = score + batch.final_scores[ended].sum(), games + ended.sum(), moves + LANES
            story.append((*seen, actions, policy.log_prob(actions), values, rewards.copy(), torch.from_numpy(~ended)))
        gains, gain = [], torch.zeros(LANES)
        following = judge(torch.from_numpy(batch.vectors), torch.from_numpy(batch.masks))[1].detach()
        for *_, values, rewards, goes_on in reversed(story):
            gain = torch.from_numpy(rewards) - values + DISCOUNT * goes_on * (following + TRACE * gain)
            gains, following = [gain, *gains], values
        gained, rows = torch.cat(gains), [torch.cat(column) for column in list(zip(*story, strict=True))[:5]]
        for chosen in [part for _ in range(2) for part in torch.randperm(len(gained)).chunk(4)]:
            vectors, masks, actions, before, values = (row[chosen] for row in rows)
            policy, now = judge(vectors, masks)
            ratio, gain = (policy.log_prob(actions) - before).exp(), (gained[chosen] - gained.mean()) / gained.std()
            clipped = torch.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean() + 0.01 * policy.entropy().mean()
            optimizer.zero_grad()
            (0.5 * (now - values - gained[chosen]).pow(2).mean() - clipped).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
        if games >= 1000:
            yield spent, moves, float(score / games)
            score, games = 0, 0


if __name__ == "__main__":
    for spent, moves, mean in learn(float(sys.argv[1]) if len(sys.argv) > 1 else 300):
        sys.stdout.write(f"{spent:6.1f} s {moves:10,d} moves: score {mean:.2f}\n")
