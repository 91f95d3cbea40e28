"""A tokenizer and a model of the Qwen family, both made here: no hub is asked, nothing is downloaded.

The chat templates are those that TRL ships, so that TRL knows the family and treats it as it treats the real one.
"""

import json
from pathlib import Path

import torch
import trl
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

TEMPLATES = Path(trl.__file__).parent / "chat_templates"


def texts_of(folder):
    """Every line of the files that are read: what the vocabulary is learned from."""
    return [line for file in sorted(Path(folder).glob("*.jsonl")) for line in file.read_text("utf8").splitlines()]


def tiny_tokenizer(texts, template="qwen2_5"):
    """Byte-level BPE of 800 tokens with ChatML's special ones."""
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    bpe.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=800, special_tokens=special, initial_alphabet=alphabet)
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=bpe,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        chat_template=(TEMPLATES / f"{template}.jinja").read_text("utf8"),
    )


def tiny_model(tokenizer):
    """Two layers of 32, at random."""
    torch.manual_seed(0)
    return Qwen2ForCausalLM(
        Qwen2Config(
            vocab_size=len(tokenizer),
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            num_key_value_heads=2,
            max_position_embeddings=4096,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
            bos_token_id=None,
        )
    )


def write_json(path, value):
    Path(path).write_text(json.dumps(value, ensure_ascii=False), "utf8")
