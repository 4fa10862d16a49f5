import { useState } from 'react';
import { picturePath } from '../../api/visit-requests.ts';
import classes from './filmstrip.module.css';

const absence = 'Its Agent has not uploaded it yet, or it was removed to make room.';

/** One picture of a filmstrip, or a place without one. */
export function FilmPicture({ sha256, alt }: { sha256: string; alt: string }) {
  const [missing, setMissing] = useState<string | null>(null);
  if (missing === sha256)
    return (
      <span className={classes.missing} role="img" aria-label={`${alt}: no picture. ${absence}`} title={absence}>
        no picture
      </span>
    );
  return <img className={classes.picture} src={picturePath(sha256)} alt={alt} onError={() => setMissing(sha256)} />;
}
