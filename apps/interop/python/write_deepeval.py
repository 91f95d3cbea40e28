"""DeepEval evaluates four answers with two metrics that need no model, and saves its test run.

Usage: write_deepeval.py FOLDER
"""

import os
import sys
from pathlib import Path

folder = Path(sys.argv[1]).resolve()
folder.mkdir(parents=True, exist_ok=True)
os.chdir(folder)
os.environ.update(DEEPEVAL_TELEMETRY_OPT_OUT="YES", DEEPEVAL_RESULTS_FOLDER=str(folder / "results"))

from deepeval import evaluate  # noqa: E402  (its settings are read when it is imported)
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig, ErrorConfig  # noqa: E402
from deepeval.metrics import BaseMetric  # noqa: E402
from deepeval.test_case import LLMTestCase, ToolCall  # noqa: E402


class Contains(BaseMetric):
    """Whether the answer says what was expected."""

    def __init__(self):
        self.threshold = 0.5
        self.async_mode = False

    def measure(self, case, *args, **kwargs):
        if case.actual_output == "crash":
            raise RuntimeError("the grader broke")
        self.score = 1.0 if case.expected_output in case.actual_output else 0.0
        self.reason = f"{case.expected_output} was {'' if self.score else 'not '}said"
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, case, *args, **kwargs):
        return self.measure(case)

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return "Contains"


class Brief(Contains):
    """Shorter is better."""

    def measure(self, case, *args, **kwargs):
        self.score = 0.75
        self.reason = "short enough"
        self.success = True
        return self.score

    @property
    def __name__(self):
        return "Brief"


def case(ask, said, expected):
    call = ToolCall(name="refund", input_parameters={"order": expected}, output=f"refunded {expected}")
    return LLMTestCase(input=ask, actual_output=said, expected_output=expected, tools_called=[call])


evaluate(
    test_cases=[
        case("Refund order 42.", "Done: 42.", "42"),
        case("Refund order 42.", "No.", "42"),
        case("Refund order 7, née “Été”.", "Done: 7 ✓", "7"),
        case("Refund order 13.", "crash", "13"),
    ],
    metrics=[Contains(), Brief()],
    hyperparameters={"model": "clerk-1", "temperature": 0.0},
    async_config=AsyncConfig(run_async=False),
    display_config=DisplayConfig(show_indicator=False, print_results=False),
    cache_config=CacheConfig(write_cache=True, use_cache=False),
    error_config=ErrorConfig(ignore_errors=True),
)
