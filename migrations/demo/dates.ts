const DAY = 86_400_000;

/** Nine o'clock (UTC) of the day on which the demonstration begins, so that its dates are always recent. */
const START = Math.floor(Date.now() / DAY) * DAY + 9 * 3_600_000;

/** A moment some days after the first day of the demonstration, or before it where the number is negative. */
export const inDays = (days: number): string => new Date(START + days * DAY).toISOString();
