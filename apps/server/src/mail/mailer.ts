import { createTransport } from "nodemailer";
import type { Log } from "../log.ts";
import type { Settings } from "../settings.ts";

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

const WAIT_MS = 10_000;

/** How a code reaches a person. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/**
 * SMTP where it is set up. Without it mails are printed for whoever runs the server: the only place where a code is
 * shown in clear, because there it is the delivery.
 */
export function openMailer({ smtpUrl, mailFrom }: Pick<Settings, "smtpUrl" | "mailFrom">, log: Log): Mailer {
  if (smtpUrl === null) {
    return {
      async send({ to, subject, text }) {
        log.info("mail", { to, subject, text });
      },
    };
  }
  // A mail server that does not answer must not hold a sign-in for the two minutes that the library would wait.
  const timeouts = { connectionTimeout: WAIT_MS, greetingTimeout: WAIT_MS, socketTimeout: WAIT_MS };
  const transport = createTransport({ url: smtpUrl, ...timeouts });
  return {
    async send(mail) {
      await transport.sendMail({ from: mailFrom, disableFileAccess: true, disableUrlAccess: true, ...mail });
    },
  };
}
