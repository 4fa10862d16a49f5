import { Anchor, Container } from '@mantine/core';
import { Link, NavLink, Outlet, useNavigation } from 'react-router';
import { AccountMenu } from './account-menu.tsx';
import { KeyList } from './key-list.tsx';
import { PaletteLauncher } from './palette/palette-launcher.tsx';
import { places } from './places.ts';
import { usePageStart } from './use-page-start.ts';
import classes from './shell.module.css';

/** The frame around every page: the places, the account, and the page itself. */
export function Shell() {
  const content = usePageStart<HTMLDivElement>();
  const isLeaving = useNavigation().state === 'loading';
  return (
    <>
      <a className={classes.skip} href="#content">
        Skip to the content
      </a>
      <header className={classes.header}>
        <Container size={1240} className={classes.bar}>
          <Anchor component={Link} to="/" className={classes.brand} c="inherit" underline="never">
            <img src="/favicon.svg" alt="" width={22} height={22} />
            HTTP-AE
          </Anchor>
          <nav className={classes.places} aria-label="Places">
            {places.map((place) => (
              <NavLink key={place.to} to={place.to} end={place.to === '/'} className={classes.place!}>
                {place.label}
              </NavLink>
            ))}
          </nav>
          <PaletteLauncher />
          <KeyList />
          <AccountMenu />
        </Container>
      </header>
      <Container
        component="main"
        ref={content}
        id="content"
        size={1240}
        className={classes.page}
        tabIndex={-1}
        aria-busy={isLeaving}
      >
        <Outlet />
      </Container>
    </>
  );
}
