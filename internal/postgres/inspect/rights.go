package inspect

import "context"

// appRole is the role that has the app's rights, where they are separated; provision's application-role.sql makes it.
const appRole = "sheetdrop_app"

// Rights are what the app may do in the database, compared with what it must.
type Rights struct {
	Role    string   // whose they are; "" where the login has none to write and is not the app's
	Split   bool     // the app has a role of its own
	Logins  []string // that may be the app
	Missing []string
	Surplus []string // of a role of its own alone
}

// Rights looks at the role of the app, or at the login's own rights where there is none.
func (d *Database) Rights(ctx context.Context) (Rights, error) {
	found, err := one[struct {
		Login           string
		Split, MayWrite bool
		Logins          []string
	}](ctx, d, "look for the app's role", `select current_user::text as login,
  exists (select from pg_roles r, pg_class c where r.rolname = $1 and `+tableOfOurs+` and c.relname <> 'schema_version'
    and has_table_privilege(r.oid, c.oid, 'INSERT')) as split,
  exists (select from pg_class c where `+tableOfOurs+` and has_table_privilege(current_user, c.oid, 'INSERT')) as may_write,
  array(select m.rolname::text from pg_auth_members a join pg_roles r on r.oid = a.roleid join pg_roles m on m.oid = a.member
    where r.rolname = $1 and m.rolcanlogin and not a.admin_option order by 1) as logins`, appRole)
	if err != nil {
		return Rights{}, err
	}
	rights := Rights{Split: found.Split, Logins: found.Logins}
	switch {
	case found.Split:
		rights.Role = appRole
	case found.MayWrite:
		rights.Role = found.Login
	default:
		return rights, nil
	}
	if rights.Missing, err = column(ctx, d, "look for missing rights", missingSQL, rights.Role, found.Split); err != nil || !found.Split {
		return rights, err
	}
	rights.Surplus, err = column(ctx, d, "look for rights that nobody needs", surplusSQL, rights.Role, found.Logins)
	return rights, err
}

const tableOfOurs = `c.relnamespace = (select oid from pg_namespace where nspname = 'sheetdrop') and c.relkind in ('r', 'p')`

// missingSQL lists what role $1 may not do. Functions and the role that loads belong to an app with a role of its own, $2.
const missingSQL = `select 'USAGE on schema sheetdrop' as missing where not has_schema_privilege($1, 'sheetdrop', 'USAGE')
union all
select format('%s on sheetdrop.%I', string_agg(p, ', ' order by p), c.relname) from pg_class c cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) p
where ` + tableOfOurs + ` and (p = 'SELECT' or c.relname not in ('schema_version', 'owner_schema')) and not has_table_privilege($1, c.oid, p)
group by c.relname
union all
select format('USAGE on sequence sheetdrop.%I', c.relname) from pg_class c
where c.relnamespace = (select oid from pg_namespace where nspname = 'sheetdrop')
  and case when c.relkind = 'S' then not has_sequence_privilege($1, c.oid, 'USAGE') else false end -- which refuses what is no sequence
union all
select format('TRUNCATE on sheetdrop.%I', c.relname) from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
where p.relname = 'outbox_history' and ` + tableOfOurs + ` and not has_table_privilege($1, c.oid, 'TRUNCATE')
union all
select format('EXECUTE on function sheetdrop.%I', f.proname) from pg_proc f
where f.pronamespace = (select oid from pg_namespace where nspname = 'sheetdrop')
  and f.proname in ('view_create', 'view_replace', 'view_drop', 'target_create', 'target_change', 'target_drop', 'target_leave')
  and not has_function_privilege($1, f.oid, 'EXECUTE')
union all
select 'membership of sheetdrop_loader' where $2::bool and not exists (select from pg_auth_members a join pg_roles r on r.oid = a.roleid
  join pg_roles m on m.oid = a.member where r.rolname = 'sheetdrop_loader' and m.rolname = $1)
order by 1`

// surplusSQL lists what role $1, and the logins $2 that are members of it, may do although nothing of the app needs it.
const surplusSQL = `select format('%I is %s', r.rolname, a.attribute) as surplus from pg_roles r
cross join lateral (values ('SUPERUSER', r.rolsuper), ('CREATEROLE', r.rolcreaterole), ('CREATEDB', r.rolcreatedb),
  ('BYPASSRLS', r.rolbypassrls), ('REPLICATION', r.rolreplication)) a (attribute, has)
where a.has and (r.rolname = $1 or r.rolname = any($2::text[]))
union all
select format('%I is a member of %I', r.rolname, g.rolname) from pg_roles r join pg_roles g on g.rolname in ('pg_write_all_data', 'pg_read_all_data',
  'pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')
where not r.rolsuper and (r.rolname = $1 or r.rolname = any($2::text[])) and pg_has_role(r.oid, g.oid, 'MEMBER')
union all
select format('CREATE on schema %I', n.nspname) from pg_namespace n
where n.nspname in ('sheetdrop', 'public') and has_schema_privilege($1, n.oid, 'CREATE')
union all
select format('CREATE on database %I', current_database()) where has_database_privilege($1, current_database(), 'CREATE')
union all
select format('%s on sheetdrop.%I', string_agg(p, ', ' order by p), c.relname) from pg_class c cross join unnest(array['INSERT', 'UPDATE', 'DELETE']) p
where ` + tableOfOurs + ` and c.relname in ('schema_version', 'owner_schema') and has_table_privilege($1, c.oid, p)
group by c.relname
union all
select format('TRUNCATE on sheetdrop.%I', c.relname) from pg_class c
where ` + tableOfOurs + ` and not c.relispartition and has_table_privilege($1, c.oid, 'TRUNCATE')
union all
select format('ownership of sheetdrop.%I', c.relname) from pg_class c join pg_roles o on o.oid = c.relowner
where ` + tableOfOurs + ` and not c.relispartition and (o.rolname = $1 or o.rolname = any($2::text[]))
order by 1`
