"""The datasets library loads a dataset folder of ours and writes its rows back as JSON lines.

Usage: write_datasets.py FOLDER DATASET
"""

import json
import sys
from pathlib import Path

from datasets import load_dataset

folder, dataset = Path(sys.argv[1]), sys.argv[2]
for name, rows in load_dataset(dataset, cache_dir=str(folder / "cache")).items():
    with open(folder / f"{name}.jsonl", "w", encoding="utf8") as file:
        for row in rows:
            print(json.dumps(row, ensure_ascii=False), file=file)
