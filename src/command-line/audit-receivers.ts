import { hostname } from 'node:os';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { jsonLinesOf, type Line } from './audit-lines.js';
import { STANDARD, writeFile } from './files.js';
import { CommandError, Misuse } from './output.js';

/** Sends lines; done when the receiver has taken them as far as can be known. */
export type SendLines = (lines: Line[]) => Promise<void>;

/** For how long a receiver may be silent, in milliseconds. */
const PATIENCE = 30_000;

/**
 * The receiver of a stream: `-` for JSON lines on standard output, `tcp://host:port` or `tls://host:port` for syslog.
 * @throws Misuse
 */
export function receiverOf(name: string): SendLines {
  if (name === STANDARD)
    return (lines) => writeFile(STANDARD, (write) => write(jsonLinesOf(lines)));
  const url = URL.canParse(name) ? new URL(name) : undefined;
  if (!url || !/^(tcp|tls):\/\/[^/@]+:\d+$/.test(name))
    throw new Misuse('the receiver must be -, tcp://host:port or tls://host:port');
  return (lines) => sendOnce(url, Buffer.concat(lines.map(syslogFrame)));
}

/**
 * Sends bytes on a connection of their own. Syslog has no acknowledgement (RFC 6587): the server ends its half of the
 * connection, and the receiver, which reads until then, the other.
 */
function sendOnce({ protocol, hostname: name, port }: URL, bytes: Buffer): Promise<void> {
  const address = { host: name.replace(/^\[|\]$/g, ''), port: Number(port) };
  const socket: Socket =
    protocol === 'tls:'
      ? connectTls({ ...address, servername: address.host })
      : connectPlain(address);
  return new Promise((resolve, reject) => {
    const fail = (problem: string) => socket.destroy(new CommandError(problem));
    socket.setTimeout(PATIENCE, () => fail('the receiver does not end the connection'));
    socket.on('end', () => {
      if (!socket.writableFinished) fail('the receiver ended the connection early');
    });
    socket.on('error', ({ message }) => reject(new CommandError(message)));
    socket.on('close', () => resolve());
    socket.resume().end(bytes);
  });
}

/** Facility of syslog for audits (RFC 5424, 6.2.1). */
const LOG_AUDIT = 13;

/** Severities of syslog. */
const WARNING = 4;
const INFORMATIONAL = 6;

/** Actions that say that something failed or was refused. */
const FAILURES = ['refuse', 'fail-mail', 'fail-delivery', 'block-endpoint'];

/** A message of RFC 5424 that contains the line as JSON in ASCII, framed by its length (RFC 6587, 3.4.1). */
export function syslogFrame(line: Line): Buffer {
  const severity = FAILURES.includes(line.action) ? WARNING : INFORMATIONAL;
  const header = `<${LOG_AUDIT * 8 + severity}>1 ${line.creationDate} ${hostname()} process-platform - ${line.action} -`;
  const message = `${header} ${asciiOf(JSON.stringify(line))}`;
  return Buffer.from(`${message.length} ${message}`, 'latin1');
}

/** JSON with escapes for what is not printable ASCII. */
const asciiOf = (json: string): string =>
  json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
