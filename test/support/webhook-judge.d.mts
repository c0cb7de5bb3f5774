type Headers = Record<string, string | string[] | undefined>;

/** Returns the CloudEvent of a message; throws when a library refuses the message. */
export function judge(secret: string, headers: Headers, body: string): Record<string, unknown>;

/** The CloudEvent of a message; does not check the signature. */
export function parse(headers: Headers, body: string): Record<string, unknown>;
