/**
 * Makes a change and says how it went, in the way of the page.
 * @param said what the page says when the change is made
 * @param explains says elsewhere why the change failed; without it, or when it answers false, the page
 * says it in its own place
 * @returns whether the change is made
 */
export type Act = (
  work: () => Promise<unknown>,
  said?: string,
  explains?: (error: unknown) => boolean,
) => Promise<boolean>;
