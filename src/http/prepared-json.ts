import { gzipSync } from 'node:zlib';
import { etagOf } from './etag.js';

/** JSON whose ETag is known before its text, which a client with a current copy does not need. */
export class PreparedJson {
  /**
   * @param makeText called when the text is sent
   * @param zipped the same by gzip, for clients that accept it; only JSON without secrets may be compressed
   */
  constructor(
    private readonly makeText: () => string,
    readonly etag: string,
    readonly zipped?: Buffer,
  ) {}

  get text(): string {
    return this.makeText();
  }
}

/** JSON that is the same for many callers, with its ETag and a compressed form. It must not contain secrets. */
export function zippedJson(body: object): PreparedJson {
  const text = JSON.stringify(body);
  return new PreparedJson(() => text, etagOf(text), gzipSync(text));
}
