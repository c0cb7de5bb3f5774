import { etagOf } from './etag.js';

/** JSON that is sent as it is, more than once: its ETag is computed once. */
export class PreparedJson {
  private tag: string | undefined;

  constructor(readonly text: string) {}

  get etag(): string {
    return (this.tag ??= etagOf(this.text));
  }
}
