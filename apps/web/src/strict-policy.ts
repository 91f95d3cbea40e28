import { config } from "zod";

// The policy of the pages forbids to make code of text, which zod would try for speed. It must know before the first
// shape is made, so this file is imported first.
config({ jitless: true });
