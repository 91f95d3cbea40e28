/** The digits of what was typed or pasted: mails show a code as 123 456 or 123-456. */
export function digitsOf(typed: string): string {
  return typed.replace(/\D/g, "").slice(0, 6);
}
