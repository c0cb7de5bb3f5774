import { useEffect, useState } from 'react';
import { loadPicture } from '../api-client/photo.js';

/**
 * A person's picture, fetched with the token in a header and shown from memory.
 * @param onLoad gets whether it is a photo, or initials that the server draws
 */
export function Photo({
  id,
  size,
  version = 0,
  onLoad,
}: {
  id: string;
  size: number;
  version?: number;
  onLoad?: (isTheirs: boolean) => void;
}) {
  const [source, setSource] = useState<string>();
  useEffect(() => {
    const controller = new AbortController();
    let address: string | undefined;
    const show = async () => {
      const { content, isTheirs } = await loadPicture(id, controller.signal);
      address = URL.createObjectURL(content);
      if (controller.signal.aborted) URL.revokeObjectURL(address);
      else {
        setSource(address);
        onLoad?.(isTheirs);
      }
    };
    // A failed picture leaves an empty circle in the place of the person.
    show().catch(() => undefined);
    return () => {
      controller.abort();
      if (address !== undefined) URL.revokeObjectURL(address);
    };
  }, [id, version, onLoad]);
  const style = { inlineSize: size, blockSize: size };
  return source === undefined ? (
    <span className="photo" style={style} />
  ) : (
    <img className="photo" style={style} src={source} alt="" />
  );
}
