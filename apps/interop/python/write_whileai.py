"""The Python SDK reads rows that we wrote, says what it makes of them, and writes them again.

Only what the SDK documents is called. Its upload goes to a server of this process, which keeps what it was sent.

Usage: write_whileai.py FOLDER ROWS_JSONL QUESTIONS_JSON
"""

import copy
import json
import os
import sys
import threading
import warnings
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

folder, path, questions = Path(sys.argv[1]), sys.argv[2], json.loads(Path(sys.argv[3]).read_text(encoding="utf-8"))
warnings.simplefilter("ignore")
uploads = {}


class Platform(BaseHTTPRequestHandler):
    """Takes a set in three steps: it is created, put, and finalized."""

    def answer(self, body):
        text = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def do_POST(self):
        body = self.body()
        if self.path == "/datasets":
            name = json.loads(body)["name"]
            self.answer({"datasetId": f"ds_{name}", "name": name, "uploadUrl": f"{base}/put/{name}"})
        else:
            name = self.path.split("/")[-2]
            self.answer({"datasetId": name, "name": name.removeprefix("ds_"), "status": "ready"})

    def do_PUT(self):
        uploads[self.path.rsplit("/", 1)[-1]] = self.body()
        self.answer({})

    def do_GET(self):
        self.answer({})

    def log_message(self, *args):
        pass


server = HTTPServer(("127.0.0.1", 0), Platform)
base = f"http://127.0.0.1:{server.server_port}"
threading.Thread(target=server.serve_forever, daemon=True).start()
os.environ.update(WHILEAI_API_URL=base, WHILEAI_PLATFORM_URL=base, WHILEAI_API_KEY="zp_" + "0" * 32)

import whileai as wai  # noqa: E402  (its addresses are read when it is imported)
from whileai import simulations as sim  # noqa: E402

rows = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").split("\n") if line]


def landed(key):
    """Which rows a label under this key is written on: how the SDK shows what it calls a row."""
    labelled, _ = sim.attach_labels(copy.deepcopy(rows), {key: 1})
    return [i for i, row in enumerate(labelled) if row.get("gold_labels")]


typed = [sim.from_row(copy.deepcopy(row)) for row in rows]
answers = {
    "task_keys": [sim.task_key(row) for row in rows],
    "stages": [sim.stage_of(row) for row in rows],
    "problems": [sim.validate(row) for row in rows],
    "signatures": [sim.behavior_signature(row) for row in rows],
    "landed": [landed(key) for key in questions["row_keys"]],
    "spec_versions": [sim.spec_version(spec) for spec in questions["specs"]],
    "fingerprints": [wai.platform.Harness(**harness).fingerprint for harness in questions["harnesses"]],
    "versions": [wai.platform.Harness(**harness).version for harness in questions["harnesses"]],
    "prompted": wai.Harness("clerk-1", instructions="x").fingerprint,
    "task_ids": [row["task_id"] for row in wai.rows(questions["prompts"], ["x"] * len(questions["prompts"]))],
    "pass_at": vars(sim.pass_at(rows)),
}
(folder / "answers.json").write_text(json.dumps(answers, default=str), encoding="utf-8")


def write(name, written):
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in written)
    (folder / name).write_text(text, encoding="utf-8")


write("loaded.jsonl", sim.load_traces(path))
write("typed.jsonl", [sim.to_row(*parts) for parts in typed])
sim.ScoredData(copy.deepcopy(rows), run_id="run", source="grade", judge_name="clerk").save(str(folder / "saved.jsonl"))
sim.push_rows(copy.deepcopy(rows), "set", holdout=questions["holdout"])
for name, body in uploads.items():
    (folder / f"pushed-{name}.jsonl").write_bytes(body)
