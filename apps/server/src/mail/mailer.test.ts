import { createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { databases } from "../../test/databases.ts";
import { withApp } from "../../test/with-app.ts";
import { jsonLog } from "../log.ts";
import { openMailer } from "./mailer.ts";

interface Received {
  from: string;
  to: string[];
  /** Headers and text, as they came. */
  data: string;
  user: string | null;
}

const running: Server[] = [];
afterEach(() => {
  for (const server of running.splice(0)) server.close();
});

/** A small mail server that speaks SMTP (RFC 5321, AUTH PLAIN of RFC 4954) over a socket and keeps what it gets. */
function mailServer(refuse: { rcpt?: boolean; auth?: boolean } = {}): Promise<{ url: string; mails: Received[] }> {
  const mails: Received[] = [];
  const server = createServer((socket: Socket) => {
    let [rest, reading] = ["", false];
    let mail: Received = { from: "", to: [], data: "", user: null };
    const say = (line: string) => socket.write(`${line}\r\n`);
    const command = (line: string) => {
      const word = line.slice(0, 4).toUpperCase();
      if (word === "EHLO") socket.write("250-mail.test\r\n250 AUTH PLAIN\r\n");
      else if (word === "AUTH") {
        mail.user = Buffer.from(line.split(" ")[2] ?? "", "base64")
          .toString()
          .split("\0")
          .slice(1)
          .join(":");
        say(refuse.auth ? "535 no" : "235 yes");
      } else if (word === "MAIL") {
        mail.from = /<(.*)>/.exec(line)?.[1] ?? "";
        say("250 ok");
      } else if (word === "RCPT") {
        mail.to.push(/<(.*)>/.exec(line)?.[1] ?? "");
        say(refuse.rcpt ? "550 no such mailbox" : "250 ok");
      } else if (word === "DATA") {
        reading = true;
        say("354 go on");
      } else if (word === "QUIT") {
        say("221 bye");
        socket.end();
      } else say("250 ok");
    };
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      rest += chunk;
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (!reading) command(line);
        else if (line === ".") {
          reading = false;
          mails.push(mail);
          mail = { from: "", to: [], data: "", user: mail.user };
          say("250 kept");
        } else mail.data += `${line}\n`;
      }
    });
    say("220 mail.test");
  });
  running.push(server);
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      resolve({ url: `smtp://ada:s%40cret@127.0.0.1:${port}`, mails });
    });
  });
}

const mailFrom = "While <while@platform.test>";

test("a mail goes out by SMTP, signed in, from the operator's address", async () => {
  const { url, mails } = await mailServer();
  await openMailer(
    { smtpUrl: url, mailFrom },
    jsonLog(() => {}),
  ).send({
    to: "bob@example.org",
    subject: "123456 is your code",
    text: "Grüße: 123456",
  });
  expect(mails).toMatchObject([{ from: "while@platform.test", to: ["bob@example.org"], user: "ada:s@cret" }]);
  expect(mails[0]!.data).toMatch(/^From: While <while@platform.test>$/m);
  expect(mails[0]!.data).toMatch(/^Subject: 123456 is your code$/m);
  expect(mails[0]!.data).toContain("123456");
});

test.each([
  ["a line of its own", "bob@example.org\r\nBcc: eve@evil.test"],
  ["a second address", "bob@example.org,eve@evil.test"],
])("an address with %s reaches nobody else", async (_, to) => {
  const { url, mails } = await mailServer();
  const app = await withApp(await databases[0]!.open());
  app.services.mailer = openMailer({ smtpUrl: url, mailFrom }, app.services.log);
  await app.call("POST", "/auth/email/start", { email: to });
  expect(mails.flatMap((mail) => mail.to)).not.toContain("eve@evil.test");
  expect(mails.map(({ data }) => data).join("")).not.toMatch(/^Bcc:/m);
  await app.close();
});

test("a person signs in by the code that the mail server got", async () => {
  const { url, mails } = await mailServer();
  const app = await withApp(await databases[0]!.open());
  app.services.mailer = openMailer({ smtpUrl: url, mailFrom }, app.services.log);
  expect((await app.call("POST", "/auth/email/start", { email: "Bob@Example.org" })).status).toBe(202);
  const code = /^Subject: (\d{6})/m.exec(mails[0]!.data)?.[1];
  expect(app.logged.join("")).not.toContain(code as string);
  const signed = await app.call("POST", "/auth/email/verify", { email: "bob@example.org", code });
  expect(signed.status).toBe(200);
  await app.close();
});

test.each([
  ["refuses the mailbox", { rcpt: true }],
  ["refuses the password", { auth: true }],
])("a mail server that %s is said so, in the log with its reason", async (_, refuse) => {
  const { url } = await mailServer(refuse);
  const app = await withApp(await databases[0]!.open());
  app.services.mailer = openMailer({ smtpUrl: url, mailFrom }, app.services.log);
  expect(await app.call("POST", "/auth/email/start", { email: "bob@example.org" })).toMatchObject({
    status: 502,
    body: { code: "upstream_error" },
  });
  expect(app.logged.join("")).toMatch(/"event":"mail","error":".*(no such mailbox|535 no|Invalid login)/);
  expect(app.logged.join("")).not.toContain("s@cret");
  await app.close();
});

test("where strangers may not sign up, a mail that fails tells nobody which addresses have an account", async () => {
  const { url } = await mailServer({ rcpt: true });
  const app = await withApp(await databases[0]!.open(), { settings: { openSignup: false } });
  app.services.mailer = openMailer({ smtpUrl: url, mailFrom }, app.services.log);
  await app.services.db
    .insertInto("accounts")
    .values({ id: "usr_1", email: "bob@example.org", tier: "full", trial_expires_at: null, created_at: "2026" })
    .execute();
  const [known, unknown] = [
    await app.call("POST", "/auth/email/start", { email: "bob@example.org" }),
    await app.call("POST", "/auth/email/start", { email: "eve@example.org" }),
  ];
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
  await app.close();
});
