import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { gone } from '../base/errors/api-errors.js';
import { type Cursor, CursorSigner, keyIdOf } from './cursor.js';

/** The reason of a 410 for a cursor of another journal. */
export const ANOTHER_JOURNAL =
  'it belongs to another database, or to a time before a restore or a failover';

/** Signs and reads cursors with the secret in the database, which all instances share. */
@Injectable()
export class CursorsService {
  private signer: Promise<CursorSigner> | undefined;

  constructor(private readonly database: Database) {}

  async sign(cursor: Cursor): Promise<string> {
    return (await this.current()).sign(cursor);
  }

  /**
   * @returns undefined unless a server of this database has signed the text
   * @throws ApiError 410 for a cursor of a database with another secret
   */
  async read(text: string): Promise<Cursor | undefined> {
    const keyId = keyIdOf(text);
    if (keyId === undefined) return undefined;
    let signer = await this.current();
    if (signer.keyId !== keyId) {
      // The database may have been replaced since the secret was read.
      this.signer = undefined;
      signer = await this.current();
    }
    if (signer.keyId !== keyId) throw gone(ANOTHER_JOURNAL);
    return signer.verify(text);
  }

  private current(): Promise<CursorSigner> {
    this.signer ??= this.load().catch((error: unknown) => {
      this.signer = undefined;
      throw error;
    });
    return this.signer;
  }

  private async load(): Promise<CursorSigner> {
    const [row] = await this.database.rows({
      text: 'SELECT secret FROM feed_secrets LIMIT 1',
      values: [],
    });
    return new CursorSigner(row![0] as Buffer);
  }
}
