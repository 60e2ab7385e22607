"""A net that reads a text as a whole: its words' states, pooled for each aspect."""

import torch
from torch import Tensor, nn

from hybrid.labelling.networks import Batch, TokenEncoder
from hybrid.networks import SeededDropout


class TextNet(nn.Module):
    """Scores of labels, one set for each aspect of a text.

    An aspect's view of a text is the mean of its words' states under the aspect's own attention, and the largest value
    of each state over all words. What a view says of the labels is one part common to all aspects, so that they learn
    from each other what is said in praise, and one of the aspect's own.

    Args:
        encoder: reads words.
        aspects, labels: how many there are.
        dropout: rate for the pooled states.
    """

    def __init__(self, encoder: TokenEncoder, aspects: int, labels: int, dropout: float) -> None:
        super().__init__()
        self.encoder = encoder
        self.shape = (aspects, labels)
        self.attention = nn.Linear(encoder.size, aspects)
        self.common = nn.Linear(2 * encoder.size, labels)
        self.own = nn.Linear(2 * encoder.size, aspects * labels)
        self.dropout = SeededDropout(dropout)

    def forward(self, batch: Batch) -> Tensor:
        """Map texts to scores (B, aspects, labels)."""
        x = self.encoder(batch)  # (B, L, D)
        filling = (torch.arange(x.shape[1], device=x.device) >= batch.lengths[:, None])[:, :, None]
        attention = self.attention(x).masked_fill(filling, -torch.inf).softmax(dim=1)  # (B, L, aspects)
        mean = attention.transpose(1, 2) @ x  # (B, aspects, D)
        most = x.masked_fill(filling, -torch.inf).amax(dim=1)[:, None].expand_as(mean)
        view = self.dropout(torch.cat([mean, most], dim=2))
        own = torch.einsum("bad,ald->bal", view, self.own.weight.view(*self.shape, -1))
        own = own + self.own.bias.view(self.shape)
        return own + self.common(view) if self.shape[0] > 1 else own
