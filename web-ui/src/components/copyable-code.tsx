import { Button, CopyButton } from '@mantine/core';
import { Fragment } from 'react';
import classes from './copyable-code.module.css';

/** A command to paste elsewhere, whole to see and one press to copy. */
export function CopyableCode({ code }: { code: string }) {
  return (
    <div className={classes.box}>
      <code className={classes.code}>
        {code.split(' ').map((word, index) => (
          <Fragment key={index}>
            {index > 0 && ' '}
            <span className={classes.word}>{word}</span>
          </Fragment>
        ))}
      </code>
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <Button variant="default" size="xs" onClick={copy} miw={84}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
