/**
 * A phone number as people write it: digits, spaces and `+ ( ) . / -`, then an extension. The syntax is the one of
 * the attribute `pattern`, which escapes more characters than other regular expressions do.
 */
export const PHONE_PATTERN = String.raw`\+?[\s\(\)\.\/\-]*\d[\d\s\(\)\.\/\-]*((x|ext\.?|#)\s?\d+)?`;

const PHONE_NUMBER = new RegExp(`^(${PHONE_PATTERN})$`, 'v');

/** Whether a text is a phone number. */
export const isPhoneNumber = (text: string): boolean => PHONE_NUMBER.test(text.trim());
