"""A model of two layers is trained for a few steps by SFT, DPO and GRPO from files of ours.

Not a benchmark: the loss must be a number at each step and the weights must move. The reward that GRPO is given is
the share of a completion's tokens that are of the first half of the vocabulary: a random model has some of it.

Usage: train_trl.py FOLDER FILES
"""

import math
import sys
from pathlib import Path

import torch
from datasets import load_dataset
from tiny_qwen import texts_of, tiny_model, tiny_tokenizer, write_json
from trl import DPOConfig, DPOTrainer, GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

folder, files = Path(sys.argv[1]), Path(sys.argv[2])
tokenizer = tiny_tokenizer(texts_of(files))
STEPS = 8
COMMON = {
    "output_dir": str(folder / "trained"),
    "max_steps": STEPS,
    "per_device_train_batch_size": 4,
    "learning_rate": 5e-3,
    "lr_scheduler_type": "constant",
    "logging_steps": 1,
    "report_to": "none",
    "save_strategy": "no",
    "use_cpu": True,
    "bf16": False,
    "gradient_checkpointing": False,
    "disable_tqdm": True,
    "seed": 0,
}


def rows(name):
    return load_dataset("json", data_files=str(files / f"{name}.jsonl"), split="train", cache_dir=str(folder / "cache"))


def first_half(completion_ids, **columns):
    half = len(tokenizer) // 2
    return [sum(token < half for token in ids) / len(ids) for ids in completion_ids]


def trainer_of(name, model):
    common = {"model": model, "train_dataset": rows(name), "processing_class": tokenizer}
    if name == "sft":
        return SFTTrainer(args=SFTConfig(max_length=None, assistant_only_loss=True, **COMMON), **common)
    if name == "dpo":
        return DPOTrainer(ref_model=tiny_model(tokenizer), args=DPOConfig(max_length=None, **COMMON), **common)
    args = GRPOConfig(num_generations=4, max_completion_length=16, **COMMON)
    return GRPOTrainer(reward_funcs=[first_half], args=args, **common)


result = {}
for name in ("sft", "dpo", "grpo"):
    model = tiny_model(tokenizer)
    before = torch.cat([weight.detach().flatten() for weight in model.parameters()])
    trainer = trainer_of(name, model)
    trainer.train()
    after = torch.cat([weight.detach().flatten() for weight in model.parameters()])
    losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    assert len(losses) == STEPS and all(math.isfinite(loss) for loss in losses), losses
    result[name] = {
        "rows": len(trainer.train_dataset),
        "losses": losses,
        "rewards": [entry["reward"] for entry in trainer.state.log_history if "reward" in entry],
        "moved": float((after - before).norm() / before.norm()),
    }
write_json(folder / "result.json", result)
