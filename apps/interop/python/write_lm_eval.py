"""lm-evaluation-harness runs a model of three answers on two tasks of three questions, and logs its samples.

Usage: write_lm_eval.py FOLDER
"""

import json
import sys
from pathlib import Path

from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

QUESTIONS = [
    {"question": "What is 6 × 7?", "choices": ["41", "42"], "gold": 1, "answer": "42"},
    {"question": "Où est née “Été”?", "choices": ["ici", "là"], "gold": 0, "answer": "ici"},
    {"question": "What is 2 + 2?", "choices": ["4", "5"], "gold": 0, "answer": "4"},
]

COMMON = """
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
doc_to_text: "Q: {{{{question}}}}\\nA:"
"""

CHOICE = """
task: toy_choice
output_type: multiple_choice
doc_to_choice: "{{choices}}"
doc_to_target: gold
metric_list: [{metric: acc}, {metric: acc_norm}]
"""

ANSWER = """
task: toy_answer
output_type: generate_until
doc_to_target: answer
generation_kwargs: {until: ["\\n"], do_sample: false, temperature: 0.0, max_gen_toks: 8}
metric_list: [{metric: exact_match}]
filter_list: [{name: first, filter: [{function: take_first}]}]
"""


class Clerk(LM):
    """Knows the first answer and nothing else; of two choices it holds the second to be likelier."""

    def generate_until(self, requests, disable_tqdm=False):
        return ["42" if "6 × 7" in request.args[0] else "5" for request in requests]

    def loglikelihood(self, requests, disable_tqdm=False):
        return [(-1.25 if request.args[1].strip() in ("42", "là", "5") else -2.5, False) for request in requests]

    def loglikelihood_rolling(self, requests, disable_tqdm=False):
        raise NotImplementedError("no task here asks for it")


folder = Path(sys.argv[1]).resolve()
tasks = folder / "tasks"
tasks.mkdir(parents=True)
data = folder / "questions.json"
data.write_text("".join(json.dumps(question) + "\n" for question in QUESTIONS), encoding="utf-8")
for name, task in [("toy_choice", CHOICE), ("toy_answer", ANSWER)]:
    (tasks / f"{name}.yaml").write_text(COMMON.format(data=data) + task, encoding="utf-8")

tracker = EvaluationTracker(output_path=str(folder / "logs"))
results = simple_evaluate(
    model=Clerk(),
    tasks=["toy_choice", "toy_answer"],
    task_manager=TaskManager(include_path=str(tasks), include_defaults=False),
    log_samples=True,
    bootstrap_iters=0,
)
samples = results.pop("samples")
tracker.save_results_aggregated(results=results, samples=samples)
for name in results["configs"]:
    tracker.save_results_samples(task_name=name, samples=samples[name])
