/**
 * Makes a change and reports the result in the way of the page.
 * @param said the page's message after a successful change
 * @param explains reports the failure elsewhere; without it, or when it returns false, the page reports it itself
 * @returns whether the change succeeded
 */
export type Act = (
  work: () => Promise<unknown>,
  said?: string,
  explains?: (error: unknown) => boolean,
) => Promise<boolean>;
