import { codeExec } from "./code-exec.ts";
import type { ProgramLanguage } from "./program/run-tests.ts";
import { fieldsOf, type VerifierEntry } from "./registry.ts";

/** Verifiers that start processes, for `verifierByName(text, [...VERIFIERS, ...PROGRAM_VERIFIERS])`. */
export const PROGRAM_VERIFIERS: readonly VerifierEntry[] = Object.freeze([
  {
    name: "CodeExec",
    summary: "the program in the reply passes the row's tests (no security boundary)",
    usage: "[language=python|javascript,timeoutMs=N,cpuSeconds=N,memMb=N]",
    make: (argument) => {
      const types = { language: "text", timeoutMs: "number", cpuSeconds: "number", memMb: "number" } as const;
      const { language, ...limits } = fieldsOf("CodeExec", argument, types);
      return codeExec(language === undefined ? limits : { ...limits, language: language as ProgramLanguage });
    },
  },
]);
