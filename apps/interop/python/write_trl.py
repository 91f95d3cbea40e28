"""TRL's trainers read files of ours and say, token by token, what they would take loss on.

Each trainer prepares the file and collates row by row: what is written is what a training step would see. Files are
found by name: sft.jsonl, sft-final.jsonl, sft-unroll.jsonl, dpo.jsonl, kto.jsonl, reward.jsonl, grpo.jsonl. Files
that start with `wrong-` are rows that a careless export could have written; what becomes of them is recorded too.

Usage: write_trl.py FOLDER FILES
"""

import inspect
import os
import subprocess
import sys
from pathlib import Path

from datasets import load_dataset
from tiny_qwen import texts_of, tiny_model, tiny_tokenizer, write_json
from transformers import Qwen2ForSequenceClassification
from trl import (
    DPOConfig,
    DPOTrainer,
    GRPOConfig,
    GRPOTrainer,
    KTOConfig,
    KTOTrainer,
    RewardConfig,
    RewardTrainer,
    SFTConfig,
    SFTTrainer,
)
from trl.data_utils import is_conversational

folder, files = Path(sys.argv[1]), Path(sys.argv[2])
tokenizer = tiny_tokenizer(texts_of(files))
tokenizer.save_pretrained(folder / "tokenizer")
COMMON = {
    "output_dir": str(folder / "trained"),
    "report_to": "none",
    "use_cpu": True,
    "bf16": False,
    "gradient_checkpointing": False,
    "disable_tqdm": True,
}


def rows(name):
    return load_dataset("json", data_files=str(files / f"{name}.jsonl"), split="train", cache_dir=str(folder / "cache"))


def marked(ids, loss):
    return {"ids": [int(i) for i in ids], "loss": [int(bool(flag)) for flag in loss]}


def sft(data, **config):
    trainer = SFTTrainer(
        model=tiny_model(tokenizer),
        args=SFTConfig(max_length=None, **config, **COMMON),
        train_dataset=data,
        processing_class=tokenizer,
    )
    batches = [trainer.data_collator([row]) for row in trainer.train_dataset]
    return [marked(batch["input_ids"][0], batch["labels"][0] != -100) for batch in batches]


def sided(trainer):
    """Both sides of each pair, the chosen one first, without the padding of the shorter one."""
    out = []
    for row in trainer.train_dataset:
        batch = trainer.data_collator([row])
        for ids, mask, real in zip(batch["input_ids"], batch["completion_mask"], batch["attention_mask"]):
            out.append(marked(ids[real == 1], mask[real == 1]))
    return out


def model_and_reference():
    """A trainer loads its reference by the model's name, and ours has none."""
    return {"model": tiny_model(tokenizer), "ref_model": tiny_model(tokenizer)}


def dpo(data):
    args = DPOConfig(max_length=None, **COMMON)
    return sided(DPOTrainer(**model_and_reference(), args=args, train_dataset=data, processing_class=tokenizer))


def kto(data):
    args = KTOConfig(max_length=None, per_device_train_batch_size=2, **COMMON)
    trainer = KTOTrainer(**model_and_reference(), args=args, train_dataset=data, processing_class=tokenizer)
    out = []
    for row in trainer.train_dataset:
        batch = trainer.data_collator([row])
        out.append({**marked(batch["input_ids"][0], batch["completion_mask"][0]), "label": bool(batch["label"][0])})
    return out


def reward(data):
    config = tiny_model(tokenizer).config
    config.num_labels = 1
    trainer = RewardTrainer(
        model=Qwen2ForSequenceClassification(config),
        args=RewardConfig(max_length=None, **COMMON),
        train_dataset=data,
        processing_class=tokenizer,
    )
    out = []
    for row in trainer.train_dataset:
        batch = trainer.data_collator([row])
        for ids, real in zip(batch["input_ids"], batch["attention_mask"]):
            # One score a side, taken at its last token: every token of the side is read.
            out.append(marked(ids[real == 1], real[real == 1]))
    return {"sides": out, "margin": "margin" in data.column_names}


def grpo(data):
    """One step: which prompts are rendered, and what the reward function is handed beside them."""
    handed = {}

    def watch(prompts, completions, **columns):
        handed["prompts"] = prompts
        handed["columns"] = {name: value for name, value in columns.items() if isinstance(value, list)}
        return [float(i % 2) for i, _ in enumerate(completions)]

    trainer = GRPOTrainer(
        model=tiny_model(tokenizer),
        reward_funcs=[watch],
        args=GRPOConfig(
            max_steps=1, num_generations=2, per_device_train_batch_size=4, max_completion_length=4, **COMMON
        ),
        train_dataset=data,
        processing_class=tokenizer,
    )
    trainer.train()
    return handed


def outcome(work):
    """What work() gave, or how it ended: the point of a wrong row is to see which."""
    try:
        return {"marked": work()}
    except Exception as error:
        return {"raised": type(error).__name__, "message": str(error)[:300]}


def by_hash_seed(row):
    """Does TRL take the row for a conversation? It asks whichever key a set gives first, so that seeds disagree."""
    code = f"from typing import Any\n{inspect.getsource(is_conversational)}\nprint(is_conversational({row!r}))"
    answers = []
    for seed in range(8):
        env = {**os.environ, "PYTHONHASHSEED": str(seed)}
        said = subprocess.run([sys.executable, "-S", "-c", code], env=env, check=True, capture_output=True, text=True)
        answers.append(said.stdout.strip() == "True")
    return answers


WORK = {
    "sft": lambda data: sft(data, assistant_only_loss=True),
    "sft-final": sft,
    "sft-unroll": sft,
    "dpo": dpo,
    "kto": kto,
    "reward": reward,
    "grpo": grpo,
    "wrong-arguments": lambda data: sft(data, assistant_only_loss=True),
    "wrong-prompt": sft,
    "wrong-sides": dpo,
}
result = {}
for file in sorted(files.glob("*.jsonl")):
    data = rows(file.stem)
    work = WORK[file.stem]
    result[file.stem] = {"rows": len(data), "columns": data.column_names}
    if file.stem.startswith("wrong-"):
        result[file.stem] |= outcome(lambda: work(data))
        result[file.stem]["conversational"] = by_hash_seed(data[0])
    else:
        result[file.stem]["marked"] = work(data)
    if file.stem == "sft":
        # The same rows for a trainer that nobody told of the mask.
        result["sft"]["told nothing"] = sum(sum(row["loss"]) for row in sft(data))
write_json(folder / "result.json", result)
