#!/usr/bin/env python3
"""Learns the second look at the moves of Blokus from recorded positions.

    plywood train blokus --games 10000 --playouts 1000 --from NOW.weights --out NEW.weights --record POSITIONS
    tools/second-look/train.py POSITIONS... --out built-in.look

The network is that of crates/plywood-games/src/blokus/engine/second_look: five layers of 3 x 3 cells and 32
channels, and a number for every orientation of a piece at every cell. It learns where the search went, in floating
point; its weights and what the layers make are then rounded to whole numbers of 8 bits. One game in twelve is
left out and tells how good it is. Needs PyTorch; uses a GPU where there is one.
"""

import argparse
import time
import zlib

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

TITLE = "plywood blokus positions 1"
OUT_TITLE = b"plywood blokus second look 1\n"
SIZE, CHANNELS, PLANES, COLOURS, PIECES, MOVES = 20, 32, 16, 4, 21, 16
TRAITS = COLOURS * (PIECES + 1)
CELLS = SIZE * SIZE
FEWEST = 2000
RECORD = np.dtype(
    [
        ("planes", "u1", (PLANES, CELLS // 8)),
        ("traits", "u1", TRAITS // 8),
        ("moves", [("number", "<u2"), ("share", "<u2")], MOVES),
    ]
)


def read(path):
    """The shapes and the records of a file."""
    with open(path, "rb") as file:
        if file.readline().decode(errors="replace").strip() != TITLE:
            raise SystemExit(f"{path}: this is no file of positions, which begins with '{TITLE}'")
        shapes = []
        while line := file.readline().decode().split():
            shapes.append((int(line[0]), [tuple(map(int, cell.split(","))) for cell in line[1:]]))
        records = np.frombuffer(file.read(), dtype=np.uint8)
    whole = len(records) // RECORD.itemsize
    return shapes, records[: whole * RECORD.itemsize].view(RECORD)


class Positions:
    """All positions, where they are learnt from."""

    def __init__(self, paths, device):
        files = [read(path) for path in paths]
        shapes = files[0][0]
        records = np.concatenate([records for _, records in files])
        self.device = device
        to = lambda array: torch.from_numpy(np.ascontiguousarray(array)).to(device)
        self.planes = to(records["planes"])
        self.traits = to(np.unpackbits(records["traits"], axis=1, bitorder="little").astype(np.float32))
        self.numbers = to(records["moves"]["number"].astype(np.int64))
        shares = records["moves"]["share"].astype(np.float32)
        self.shares = to(shares / shares.sum(1, keepdims=True))
        self.pieces = torch.tensor([piece for piece, _ in shapes], device=device)
        self.kernels = torch.zeros(len(shapes), 1, 5, 5, device=device)
        for kernel, (_, cells) in zip(self.kernels, shapes):
            for x, y in cells:
                kernel[0, y, x] = 1
        self.sizes = self.kernels.sum((1, 2, 3))[:, None, None]
        # Positions of a game stand together: a game is about 70 of them.
        left_out = torch.arange(len(records), device=device) // 840 % 12 == 0
        self.test, self.train = left_out.nonzero()[:, 0], (~left_out).nonzero()[:, 0]

    def see(self, index):
        bits = torch.arange(8, device=self.device)
        planes = (self.planes[index][..., None] >> bits) & 1
        return planes.reshape(len(index), PLANES, SIZE, SIZE).float(), self.traits[index]

    def legal(self, planes, traits):
        """Which placements the rules allow."""
        around = lambda plane: F.conv2d(F.pad(plane, (0, 4, 0, 4)), self.kernels)
        fits = around(planes[:, 0:1]) > self.sizes - 0.5
        touches = around(planes[:, COLOURS : COLOURS + 1]) > 0.5
        in_hand = traits[:, self.pieces][:, :, None, None] > 0.5
        return fits & touches & in_hand


class Network(nn.Module):
    def __init__(self, orientations):
        super().__init__()
        layer = lambda planes: nn.Conv2d(planes, CHANNELS, 3, padding=1)
        self.first = layer(PLANES)
        self.of_traits = nn.Linear(TRAITS, CHANNELS)
        self.others = nn.ModuleList([layer(CHANNELS) for _ in range(4)])
        self.heads = nn.Conv2d(CHANNELS, orientations, 1)
        self.heads_of_traits = nn.Linear(TRAITS, orientations)

    def layers(self, planes, traits):
        """What each layer makes."""
        now = F.relu(self.first(planes) + self.of_traits(traits)[:, :, None, None])
        made = [now]
        for one, two in zip(self.others[0::2], self.others[1::2]):
            between = F.relu(one(now))
            now = F.relu(now + two(between))
            made += [between, now]
        return made

    def forward(self, planes, traits):
        now = self.layers(planes, traits)[-1]
        return self.heads(now) + self.heads_of_traits(traits)[:, :, None, None]


def misjudged(network, positions, index):
    """The mean logarithm by which the network misjudges where the search went, and how often its
    favourite is that of the search."""
    planes, traits = positions.see(index)
    with torch.autocast(positions.device, dtype=torch.bfloat16, enabled=positions.device == "cuda"):
        weights = network(planes.to(memory_format=torch.channels_last), traits)
    weights = weights.float().masked_fill(~positions.legal(planes, traits), -1e4).flatten(1)
    likely = F.log_softmax(weights, 1)
    loss = -(positions.shares[index] * likely.gather(1, positions.numbers[index])).sum(1).mean()
    return loss, (likely.argmax(1) == positions.numbers[index][:, 0]).float().mean()


def train(network, positions, seconds, batch=2048, step=4e-3):
    optimiser = torch.optim.AdamW(network.parameters(), lr=step, weight_decay=1e-2)
    began, steps, of_a_pass = time.time(), 0, max(1, len(positions.train) // batch)
    while (gone := (time.time() - began) / seconds) < 1:
        for group in optimiser.param_groups:
            group["lr"] = step * min(1, (steps + 1) / 200) * (1 - gone)
        if steps % of_a_pass == 0:
            order = positions.train[torch.randperm(len(positions.train), device=positions.device)]
        place = steps % of_a_pass * batch
        loss, _ = misjudged(network, positions, order[place : place + batch])
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        steps += 1
        if steps % 100 == 0:
            print(f"{steps / of_a_pass:.1f} passes, {time.time() - began:.0f} s: {loss.item():.3f}", flush=True)


def test(network, positions):
    with torch.no_grad():
        parts = [misjudged(network, positions, index) for index in positions.test.split(2048)]
    return [torch.stack(values).mean().item() for values in zip(*parts)]


def write(network, positions, path):
    """Rounds the network to whole numbers and writes it."""
    network = network.float().cpu()
    planes, traits = positions.see(positions.test[:: max(1, len(positions.test) // 4000)])
    with torch.no_grad():
        made = network.layers(planes.cpu(), traits.cpu())
    # So that few numbers are larger than 127.
    scales = [float(np.quantile(x[x > 0].numpy()[::7], 0.9995)) / 127 for x in made]
    parts = []
    numbers = lambda values: parts.append(np.asarray(values, "<f4").tobytes())

    def layer(convolution, more, before, after, skip):
        weights, bias = convolution.weight.detach().numpy(), convolution.bias.detach().numpy()
        of_channels = np.abs(weights).max((1, 2, 3)) / 127
        whole = np.round(weights / of_channels[:, None, None, None]).astype(np.int8)
        made_of = whole.shape[1]
        # By tap, group, channel, and number of the group.
        whole = whole.transpose(2, 3, 1, 0).reshape(9, made_of // 4, 4, CHANNELS).transpose(0, 1, 3, 2)
        parts.append(np.ascontiguousarray(whole).tobytes())
        numbers(of_channels * before / after)
        numbers((bias + more) / after)
        numbers([skip])

    layer(network.first, network.of_traits.bias.detach().numpy(), 1.0, scales[0], 0.0)
    numbers(network.of_traits.weight.detach().numpy().T / scales[0])
    for place in (0, 2):
        before, between, after = scales[place : place + 3]
        layer(network.others[place], 0.0, before, between, 0.0)
        layer(network.others[place + 1], 0.0, between, after, before / after)
    heads = network.heads.weight.detach().numpy()[:, :, 0, 0]
    biases = (network.heads.bias + network.heads_of_traits.bias).detach().numpy()
    for weights, bias in zip(heads, biases):
        of_head = np.abs(weights).max() / 127
        parts.append(np.round(weights / of_head).astype(np.int8).tobytes())
        numbers([of_head * scales[-1], bias])
    numbers(network.heads_of_traits.weight.detach().numpy().T)
    body = OUT_TITLE + b"".join(parts)
    with open(path, "wb") as file:
        file.write(body + zlib.crc32(body).to_bytes(4, "little"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", nargs="+", help="files that plywood train blokus --record has written")
    parser.add_argument("--out", required=True, help="the file of the network")
    parser.add_argument("--seconds", type=float, default=150, help="how long it learns")
    arguments = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(1)
    positions = Positions(arguments.positions, device)
    if len(positions.train) < FEWEST:
        raise SystemExit(f"{len(positions.train)} positions are too few to learn from: record at least {FEWEST}")
    print(f"{len(positions.train)} positions to learn from, {len(positions.test)} to test with, on {device}")
    network = Network(len(positions.pieces)).to(device).to(memory_format=torch.channels_last)
    train(network, positions, arguments.seconds)
    loss, favourite = test(network, positions)
    print(f"misjudges the search by {loss:.3f}; has the same favourite in {favourite:.3f} of the positions")
    write(network, positions, arguments.out)
    print(f"{arguments.out} written")


if __name__ == "__main__":
    main()
