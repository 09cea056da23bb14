"""Networks of today, as their users get them from torchvision and transformers, with random weights.

NETWORKS maps a name to a function that returns (module, inputs). Nothing is downloaded.
"""

import torch
from torch import nn


def _image(size=224):
    return torch.randn(1, 3, size, size)


def _vision(name):
    def make():
        import torchvision

        torch.backends.mha.set_fastpath_enabled(False)  # its fused op has no form in ONNX
        return getattr(torchvision.models, name)(weights=None), (_image(),)

    return make


class _Only(nn.Module):
    """A transformer's one tensor of interest, so that the export has one output."""

    def __init__(self, model, output, **arguments):
        super().__init__()
        self.model, self.output, self.arguments = model, output, arguments

    def forward(self, x):
        return getattr(self.model(x, **self.arguments), self.output)


def _tokens(vocabulary, count):
    return (torch.randint(0, vocabulary, (1, count)),)


def _bert():
    from transformers import BertConfig, BertModel

    config = BertConfig(attn_implementation="eager")
    return _Only(BertModel(config), "last_hidden_state"), _tokens(config.vocab_size, 64)


def _distilbert():
    from transformers import DistilBertConfig, DistilBertModel

    config = DistilBertConfig(attn_implementation="eager")
    return _Only(DistilBertModel(config), "last_hidden_state"), _tokens(config.vocab_size, 64)


def _gpt2():
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(n_layer=4, attn_implementation="eager", use_cache=False)
    mask = torch.ones(1, 64, dtype=torch.long)
    return (_Only(GPT2LMHeadModel(config), "logits", attention_mask=mask),
            _tokens(config.vocab_size, 64))


def _whisper_encoder():
    from transformers import WhisperConfig, WhisperModel

    config = WhisperConfig(
        d_model=384, encoder_layers=4, encoder_attention_heads=6, encoder_ffn_dim=1536,
        decoder_layers=1, decoder_attention_heads=6, decoder_ffn_dim=1536,
        attn_implementation="eager")
    return (_Only(WhisperModel(config).get_encoder(), "last_hidden_state"),
            (torch.randn(1, 80, 3000),))


def _normed(inputs, outputs, kernel=3, stride=1, activation=nn.ReLU):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs), activation())


class _UNet(nn.Module):
    """Segmentation: four scales down and up again, with skip connections."""

    def __init__(self, width=32):
        super().__init__()
        widths = [width << i for i in range(5)]
        pair = lambda a, b: nn.Sequential(_normed(a, b), _normed(b, b))
        self.down = nn.ModuleList(pair(a, b) for a, b in zip([3] + widths, widths))
        self.up = nn.ModuleList(nn.ConvTranspose2d(2 * w, w, 2, 2) for w in widths[:4])
        self.joined = nn.ModuleList(pair(2 * w, w) for w in widths[:4])
        self.head = nn.Conv2d(width, 2, 1)

    def forward(self, x):
        kept = []
        for level, block in enumerate(self.down):
            x = block(x if level == 0 else nn.functional.max_pool2d(x, 2))
            kept.append(x)
        for level in reversed(range(4)):
            x = self.joined[level](torch.cat([kept[level], self.up[level](x)], 1))
        return self.head(x)


class _CrossStage(nn.Module):
    """YOLO's block: half of the channels go through residual bottlenecks."""

    def __init__(self, inputs, outputs, count):
        super().__init__()
        half = outputs // 2
        self.first = _normed(inputs, outputs, 1, activation=nn.SiLU)
        self.steps = nn.ModuleList(
            nn.Sequential(_normed(half, half, activation=nn.SiLU),
                          _normed(half, half, activation=nn.SiLU)) for _ in range(count))
        self.last = _normed((2 + count) * half, outputs, 1, activation=nn.SiLU)

    def forward(self, x):
        parts = list(self.first(x).chunk(2, 1))
        for step in self.steps:
            parts.append(parts[-1] + step(parts[-1]))
        return self.last(torch.cat(parts, 1))


class _Detector(nn.Module):
    """A detector of YOLOv8's shape and size 'n', up to its raw boxes and scores."""

    def __init__(self, outputs=64 + 80):
        super().__init__()
        down = lambda a, b: _normed(a, b, stride=2, activation=nn.SiLU)
        self.stem = nn.Sequential(down(3, 16), down(16, 32), _CrossStage(32, 32, 1))
        self.p3 = nn.Sequential(down(32, 64), _CrossStage(64, 64, 2))
        self.p4 = nn.Sequential(down(64, 128), _CrossStage(128, 128, 2))
        self.p5 = nn.Sequential(down(128, 256), _CrossStage(256, 256, 1))
        self.up4 = _CrossStage(256 + 128, 128, 1)
        self.up3 = _CrossStage(128 + 64, 64, 1)
        self.down4 = _normed(64, 64, stride=2, activation=nn.SiLU)
        self.out4 = _CrossStage(64 + 128, 128, 1)
        self.down5 = _normed(128, 128, stride=2, activation=nn.SiLU)
        self.out5 = _CrossStage(128 + 256, 256, 1)
        self.heads = nn.ModuleList(
            nn.Sequential(_normed(w, 80, activation=nn.SiLU), _normed(80, 80, activation=nn.SiLU),
                          nn.Conv2d(80, outputs, 1)) for w in (64, 128, 256))

    def forward(self, x):
        double = lambda t: nn.functional.interpolate(t, scale_factor=2, mode="nearest")
        p3 = self.p3(self.stem(x))
        p4 = self.p4(p3)
        p5 = self.p5(p4)
        n4 = self.up4(torch.cat([double(p5), p4], 1))
        n3 = self.up3(torch.cat([double(n4), p3], 1))
        n4 = self.out4(torch.cat([self.down4(n3), n4], 1))
        n5 = self.out5(torch.cat([self.down5(n4), p5], 1))
        found = [head(t).flatten(2) for head, t in zip(self.heads, (n3, n4, n5))]
        return torch.cat(found, 2)


class _Speech(nn.Module):
    """Two bidirectional LSTM layers over 100 frames, as acoustic models have them."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(80, 256, num_layers=2, bidirectional=True, batch_first=True)
        self.head = nn.Linear(512, 64)

    def forward(self, x):
        return self.head(self.lstm(x)[0])


NETWORKS = {
    "resnet50": _vision("resnet50"),
    "mobilenet_v2": _vision("mobilenet_v2"),
    "mobilenet_v3_large": _vision("mobilenet_v3_large"),
    "efficientnet_b0": _vision("efficientnet_b0"),
    "convnext_tiny": _vision("convnext_tiny"),
    "vit_b_16": _vision("vit_b_16"),
    "bert_base_64": _bert,
    "distilbert_64": _distilbert,
    "gpt2_4_layers_64": _gpt2,
    "whisper_tiny_encoder": _whisper_encoder,
    "unet_256": lambda: (_UNet(), (_image(256),)),
    "yolov8n_shape_320": lambda: (_Detector(), (_image(320),)),
    "bilstm_100": lambda: (_Speech(), (torch.randn(1, 100, 80),)),
}
