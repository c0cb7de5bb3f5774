import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { STOPPABLE, type Stoppable } from './recipients.js';

/** Where people and mail programs stop mails: the page for a GET, one click for a POST (RFC 8058). */
export const STOP_PATH = '/workplace/stop-mails';

/** What a link stops, and for whom. */
export interface Stop {
  kind: Stoppable;
  userId: string;
}

/** `digest.42.` and the signature. */
const SHAPE = /^([a-z]+)\.([1-9]\d{0,18})\.([\w-]{43})$/;

/**
 * Makes and reads the links with which people stop mails. They need no session. They are valid as long as the account
 * exists, because people open mails years later; a restore ends them. The signature covers the kind of mail and the
 * account, so a link cannot be altered to stop another user's mails.
 */
@Injectable()
export class StopLinks {
  private key: Promise<Buffer> | undefined;

  constructor(private readonly database: Database) {}

  /** The path of a link, below the root of the server. */
  async pathOf(stop: Stop): Promise<string> {
    return `${STOP_PATH}/${await this.sign(stop)}`;
  }

  /** @returns undefined for a text that no server on this database has signed */
  async read(token: string): Promise<Stop | undefined> {
    const [, name, userId = '', signature = ''] = SHAPE.exec(token) ?? [];
    const kind = STOPPABLE.find((one) => one === name);
    if (kind === undefined) return undefined;
    const stop = { kind, userId };
    const [given, expected] = [Buffer.from(token), Buffer.from(await this.sign(stop))];
    return signature !== '' && given.length === expected.length && timingSafeEqual(given, expected)
      ? stop
      : undefined;
  }

  private async sign({ kind, userId }: Stop): Promise<string> {
    this.key ??= this.load().catch((error: unknown) => {
      this.key = undefined;
      throw error;
    });
    const text = `${kind}.${userId}`;
    return `${text}.${createHmac('sha256', await this.key)
      .update(text)
      .digest('base64url')}`;
  }

  private async load(): Promise<Buffer> {
    const [row] = await this.database.rows({
      text: 'SELECT secret FROM mail_secrets LIMIT 1',
      values: [],
    });
    return createHmac('sha256', row![0] as Buffer)
      .update('links that stop mails')
      .digest();
  }
}
