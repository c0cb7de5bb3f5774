import { useEffect, useRef, useState } from 'react';
import { Alert, Box, Button, Stack } from '@mui/material';
import { ImageUp, Trash2 } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { PhotoInput } from '../../account/photo-input.js';
import { usePhoto } from '../../account/use-photo.js';
import { loadPicture } from '../../api-client/photo.js';
import { useTexts } from '../translations/i18n.js';
import { Section } from '../layout/page.js';
import { useAction } from '../api/use-api.js';

const SIZE = 88;

/** A user's photo: looked at, chosen, taken away; without one the initials that the server draws. */
export function PhotoSection({ userId }: { userId: string }) {
  const texts = useTexts();
  const act = useAction();
  const field = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const { fault, store, remove } = usePhoto(userId, act);
  const { data } = useQuery({
    queryKey: ['picture', userId],
    queryFn: ({ signal }) => loadPicture(userId, signal),
  });
  const source = useAddressOf(data?.content);
  const removePicture = async () => {
    // The button goes with the photo, and must not take the focus along.
    if (await remove(texts('photo.removed'))) choose.current?.focus();
  };
  return (
    <Section title={texts('photo')} lead={texts('photo.lead')}>
      {fault && (
        <Alert severity="error" role="alert" sx={{ mb: 2 }}>
          {texts(`photo.${fault}`)}
        </Alert>
      )}
      <Stack direction="row" useFlexGap spacing={2} sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
        <Box
          component={source === undefined ? 'span' : 'img'}
          {...(source !== undefined && { src: source, alt: '' })}
          sx={{
            width: SIZE,
            height: SIZE,
            borderRadius: '50%',
            objectFit: 'cover',
            bgcolor: 'action.hover',
          }}
        />
        <Button
          ref={choose}
          variant="outlined"
          startIcon={<ImageUp size={17} aria-hidden />}
          onClick={() => field.current?.click()}
        >
          {texts('photo.choose')}
        </Button>
        {data?.isTheirs && (
          <Button
            color="error"
            startIcon={<Trash2 size={17} aria-hidden />}
            onClick={() => void removePicture()}
          >
            {texts('photo.remove')}
          </Button>
        )}
        <PhotoInput
          field={field}
          label={texts('photo.choose')}
          onChosen={(picture) => void store(picture, texts('photo.stored'))}
        />
      </Stack>
    </Section>
  );
}

/** Where an image element finds what is in memory. */
function useAddressOf(content: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!content) return;
    const made = URL.createObjectURL(content);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [content]);
  return address;
}
