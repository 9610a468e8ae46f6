-- The login of the app's identity. Run it in database postgres as an Entra administrator; twice does no harm.
-- Settings: sheetdrop.login, the identity's name, and sheetdrop.object_id, its object id.
-- An identity that was made anew has another object id: drop the old role first.
do $$
begin
  if not exists (select from pg_roles where rolname = current_setting('sheetdrop.login')) then
    perform pgaadauth_create_principal_with_oid(
      current_setting('sheetdrop.login'), current_setting('sheetdrop.object_id'), 'service', false, false); -- no administrator, no second factor
  end if;
end $$;
