/**
 * Puts a text on the clipboard.
 * @returns false if the browser denies it; people can still select and copy the text
 */
export const copyText = (text: string): Promise<boolean> =>
  navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
