/**
 * Whether a request prefers something (RFC 7240), e.g. `count=exact`. Names and values are compared without case.
 * @param header the value of `Prefer`
 */
export function prefers(header: string | string[] | undefined, preference: string): boolean {
  return String(header ?? '')
    .split(/[,;]/)
    .some((one) => one.replace(/[\s"]/g, '').toLowerCase() === preference);
}
