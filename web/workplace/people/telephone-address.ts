/** The address that dials a number: digits and the plus sign of a country code (RFC 3966). */
export const telephoneAddress = (number: string): string => `tel:${number.replace(/[^+\d]/g, '')}`;
