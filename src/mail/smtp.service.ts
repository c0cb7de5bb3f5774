import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { Config } from '../base/config/config.js';
import type { Branding } from '../security/parameters/branding.js';
import type { Mail, MailContent } from './mail.js';
import { html, LOGO_ID, plainText } from './render-mail.js';

/** Limits of the conversation with the SMTP server, in milliseconds. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Connections that stay open for further mails. */
export const CONNECTIONS = 4;

/** Sends mails through the SMTP server of SMTP_URL. */
@Injectable()
export class Smtp implements OnApplicationShutdown {
  private readonly transport: ReturnType<typeof connect> | undefined;

  constructor(private readonly config: Config) {
    const { SMTP_URL: url } = config.env;
    this.transport = url === undefined ? undefined : connect(url);
  }

  /** Whether this server sends mail. */
  get isEnabled(): boolean {
    return this.transport !== undefined;
  }

  /** @throws Error of the SMTP server or of the connection to it */
  async send({ to, locale, content, branding }: Mail): Promise<void> {
    await this.transport!.sendMail({
      from: this.config.env.MAIL_FROM,
      to,
      subject: content.subject,
      text: plainText(content),
      html: html({ content, locale, branding }),
      attachments: attachmentsOf(branding),
      headers: {
        // No automatic answers (RFC 3834 section 5).
        'Auto-Submitted': 'auto-generated',
        'Content-Language': locale,
        ...stopHeaders(content),
      },
    });
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }
}

/** One click in a mail program stops mails of this kind (RFC 8058, which asks for HTTPS; RFC 2369). */
function stopHeaders({ stop }: MailContent): Record<string, string> {
  if (!stop) return {};
  const { address } = stop;
  return {
    'List-Unsubscribe': `<${address}>`,
    ...(address.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  };
}

const attachmentsOf = ({ logo }: Branding) =>
  logo
    ? [
        {
          filename: `logo${logo.suffix}`,
          content: logo.content,
          contentType: logo.mediaType,
          cid: LOGO_ID,
          contentDisposition: 'inline' as const,
        },
      ]
    : [];

const connect = (url: string) =>
  createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...TIMEOUTS,
  });

/** Whether the SMTP server rejected this mail for good, so that another attempt is useless (RFC 5321 section 4.2.1). */
export function isRejected(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && (responseCode ?? 0) >= 500;
}

/** Whether the SMTP server was unreachable, so that other mails would fail too. */
export function isUnreachable(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return responseCode === undefined && code !== 'EENVELOPE' && code !== 'EMESSAGE';
}
