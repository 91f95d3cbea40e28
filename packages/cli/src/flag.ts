/** Text of a flag to its value; `flag` is its long name, for the sentence when the text cannot be read. */
export type ReadFlag = (text: string, flag: string) => unknown;

/** One flag, as help and completion show it and commander parses it. */
export interface Flag {
  /** `-o, --output <file>`; without `<…>` it takes no value. */
  spec: string;
  about: string;
  /** Without it the text is the value. */
  read?: ReadFlag;
  /** The words it takes, where they are few; completion offers them. */
  choices?: readonly string[];
}
