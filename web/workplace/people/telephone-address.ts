/** What dials a number: digits and the sign of a country code (RFC 3966). */
export const telephoneAddress = (number: string): string => `tel:${number.replace(/[^+\d]/g, '')}`;
