import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

/** A mail as it arrived. */
export interface ReceivedMail {
  to: string[];
  headers: string;
  plain: string;
  html: string;
}

/** A real SMTP server that keeps what it receives. */
export interface Mailbox {
  /** The value for SMTP_URL. */
  url: string;
  mails: ReceivedMail[];
  /** Answers these SMTP errors to the next messages, one each, instead of accepting them. */
  failures: { status: number; message: string }[];
  /** Waits for a mail to an address, which it removes. */
  next(address: string): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** The settings of a server that sends to a mailbox, on a port of its own, which the links of its mails need. */
export async function mailSettings({ url }: Mailbox) {
  const port = await freePort();
  return {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: url,
    MAIL_FROM: 'Portal <no-reply@portal.example>',
  };
}

export async function startMailbox(): Promise<Mailbox> {
  const mails: ReceivedMail[] = [];
  const failures: Mailbox['failures'] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, session, done) => {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      void text(stream).then((raw) => {
        const failure = failures.shift();
        if (failure) {
          const { status, message } = failure;
          return done(Object.assign(new Error(message), { responseCode: status }));
        }
        mails.push(parse(to, raw));
        done();
      });
    },
  });
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    failures,
    next: async (address) => {
      let found = -1;
      await eventually(() => {
        found = mails.findIndex(({ to }) => to.includes(address));
        if (found < 0) throw new Error(`no mail to ${address}`);
      });
      return mails.splice(found, 1)[0]!;
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

/** The code in the link of a mail. */
export const codeIn = ({ plain }: ReceivedMail): string => /#([\w-]{43})\s/.exec(plain)![1]!;

/** The address in a mail. */
export const linkIn = ({ plain }: ReceivedMail): string => /^http\S+$/m.exec(plain)![0];

function parse(to: string[], raw: string): ReceivedMail {
  const [headers = '', body = ''] = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers)![1]!;
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.trimStart()));
  const content = (type: string): string => {
    const [head = '', encoded = ''] = parts.find(([one]) => one?.includes(type)) ?? [];
    const decoded = head.includes('base64')
      ? Buffer.from(encoded, 'base64').toString()
      : fromQuotedPrintable(encoded);
    // The line break before a boundary belongs to the boundary (RFC 2046 section 5.1.1).
    return decoded.replace(/\r\n/g, '\n').replace(/\n$/, '');
  };
  return { to, headers, plain: content('text/plain'), html: content('text/html') };
}

function split(message: string): [string, string] {
  const end = message.indexOf('\r\n\r\n');
  return [message.slice(0, end), message.slice(end + 4)];
}

/** RFC 2045 section 6.7 */
function fromQuotedPrintable(encoded: string): string {
  const bytes = encoded
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
