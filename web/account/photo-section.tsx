import { ImageUp, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useAccountPage } from './account-page.js';
import { Photo } from './photo.js';
import { PhotoInput } from './photo-input.js';
import { useAction } from './use-action.js';
import { usePhoto } from './use-photo.js';

/** In CSS pixels. */
const SIZE = 96;

/** A user's photo, or the initials that the server draws; buttons that choose and remove a photo. */
export function PhotoSection() {
  const { userId, texts, explain, elements } = useAccountPage();
  const { Section, Button, Fault } = elements;
  const field = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const [version, setVersion] = useState(0);
  const [hasPhoto, setHasPhoto] = useState(false);
  const { problem, act } = useAction();
  const { fault, store, remove } = usePhoto(userId, act);
  const showAgain = () => setVersion((last) => last + 1);
  const storePicture = async (picture: File) => {
    if (await store(picture, texts('photo.stored'))) showAgain();
  };
  const removePicture = async () => {
    if (!(await remove(texts('photo.removed')))) return;
    showAgain();
    // The pressed button disappears with the photo; the focus moves to one that stays.
    choose.current?.focus();
  };
  return (
    <Section title={texts('photo')} lead={texts('photo.lead')}>
      <Fault text={fault === undefined ? problem && explain(problem) : texts(`photo.${fault}`)} />
      <PhotoInput
        field={field}
        label={texts('photo.choose')}
        onChosen={(picture) => void storePicture(picture)}
      />
      <div className="photo-form">
        <Photo id={userId} size={SIZE} version={version} onLoad={setHasPhoto} />
        <Button ref={choose} icon={ImageUp} onClick={() => field.current?.click()}>
          {texts('photo.choose')}
        </Button>
        {hasPhoto && (
          <Button icon={Trash2} onClick={() => void removePicture()}>
            {texts('photo.remove')}
          </Button>
        )}
      </div>
    </Section>
  );
}
