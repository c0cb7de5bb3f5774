/** JSON whose ETag is known before its text: a client that has it already costs neither. */
export class PreparedJson {
  /** @param makeText called when the text is sent */
  constructor(
    private readonly makeText: () => string,
    readonly etag: string,
  ) {}

  get text(): string {
    return this.makeText();
  }
}
