"""LLaMA-Factory reads rows of ours through its dataset_info.json and says which tokens it takes loss on.

Usage: write_llamafactory.py FOLDER FILES
"""

import os
import sys
from pathlib import Path

# It names an older TRL than the one it is read beside; none of what is asked here is TRL's.
os.environ["DISABLE_VERSION_CHECK"] = "1"

from llamafactory.data.loader import get_dataset
from llamafactory.data.template import get_template_and_fix_tokenizer
from llamafactory.hparams import DataArguments, ModelArguments
from tiny_qwen import texts_of, tiny_tokenizer, write_json
from transformers import Seq2SeqTrainingArguments

folder, files = Path(sys.argv[1]), Path(sys.argv[2])


def read(name, stage, **settings):
    tokenizer = tiny_tokenizer(texts_of(files))
    data = DataArguments(
        template="qwen",
        dataset=name,
        dataset_dir=str(files),
        cutoff_len=4096,
        overwrite_cache=True,
        preprocessing_num_workers=None,
        **settings,
    )
    model = ModelArguments(model_name_or_path="none", cache_dir=str(folder / "cache"))
    training = Seq2SeqTrainingArguments(output_dir=str(folder / "out"), report_to="none", use_cpu=True, do_train=True)
    template = get_template_and_fix_tokenizer(tokenizer, data)
    rows = get_dataset(template, model, data, training, stage=stage, tokenizer=tokenizer)["train_dataset"]
    out = []
    for row in rows:
        sides = [("input_ids", "labels")] if stage == "sft" else [
            (f"{side}_input_ids", f"{side}_labels") for side in ("chosen", "rejected")
        ]
        for ids, labels in sides:
            loss = [int(label != -100) for label in row[labels]]
            out.append({
                "ids": list(row[ids]),
                "loss": loss,
                "text": tokenizer.decode(row[ids]),
                "trained": tokenizer.decode([token for token, flag in zip(row[ids], loss) if flag]),
            })
    return {"rows": len(rows), "marked": out}


write_json(
    folder / "result.json",
    {
        "sft": read("sft", "sft"),
        "final": read("final", "sft", mask_history=True),
        "pairs": read("pairs", "rm"),
    },
)
