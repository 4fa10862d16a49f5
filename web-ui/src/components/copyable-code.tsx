import { Button, CopyButton } from '@mantine/core';
import { Fragment, useRef } from 'react';
import classes from './copyable-code.module.css';

/** A command to paste elsewhere, whole to see and one press to copy. */
export function CopyableCode({ code }: { code: string }) {
  const text = useRef<HTMLElement>(null);
  return (
    <div className={classes.box}>
      <code ref={text} className={classes.code}>
        {code.split(' ').map((word, index) => (
          <Fragment key={index}>
            {index > 0 && ' '}
            <span className={classes.word}>{word}</span>
          </Fragment>
        ))}
      </code>
      {/* Over http: from another machine, browsers give no clipboard. There, one press selects the text. */}
      {window.isSecureContext ? (
        <CopyButton value={code}>
          {({ copied, copy }) => (
            <Button variant="default" size="xs" onClick={copy} miw={84}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      ) : (
        <Button
          variant="default"
          size="xs"
          onClick={() => text.current && getSelection()?.selectAllChildren(text.current)}
          miw={84}
        >
          Select
        </Button>
      )}
    </div>
  );
}
