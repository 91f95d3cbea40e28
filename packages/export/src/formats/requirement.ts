/** A setting of the trainer without which the file trains something else. */
export interface Requirement {
  setting: string;
  value: string;
  why: string;
}
