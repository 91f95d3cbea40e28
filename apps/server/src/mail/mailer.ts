import { createTransport } from "nodemailer";
import type { Log } from "../log.ts";
import type { Settings } from "../settings.ts";

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

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
  const transport = createTransport(smtpUrl);
  return {
    async send(mail) {
      await transport.sendMail({ from: mailFrom, ...mail });
    },
  };
}
