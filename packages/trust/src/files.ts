// Files, processes and workers (nothing here may be imported by the root entry)
export {};
