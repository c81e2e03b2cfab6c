//! The schemas that `crossbar schema` prints say of a file what its reader says: every file of this
//! repository is good by them, and what the reader refuses for its keys or kinds of values they
//! refuse too. An independent validator reads the schemas.

#[path = "schema/repository.rs"]
mod repository;
#[path = "schema/same.rs"]
mod same;
#[path = "schema/samples.rs"]
mod samples;

use crossbar::pack::{RosterContext, TaskContext, read_pack, read_roster, read_task};
use crossbar::session::{SchemaOf, schema};
use crossbar::source::{File, Problems, one_line};
use crossbar::{harness, provider};
use serde_json::Value;

/// The schema of a file.
fn text_of(of: SchemaOf) -> Value {
    serde_json::from_str(&schema(of)).unwrap()
}

/// The validator of a file's schema, which must itself be one.
fn validator(of: SchemaOf) -> jsonschema::Validator {
    let schema = text_of(of);
    jsonschema::meta::validate(&schema).expect("a schema of draft 2020-12");
    jsonschema::draft202012::new(&schema).unwrap()
}

/// What the reader of a file says of a text: the errors, without those of the whole pack.
fn read(of: SchemaOf, text: &str) -> Vec<String> {
    let file = File::new("t", text);
    let problems = Problems::new("t");
    match of {
        SchemaOf::Task => {
            let context = TaskContext {
                pack: "p",
                folder: "/p",
                lookup: &|_| Some("x".to_owned()),
            };
            read_task(&file, &context, &problems);
        }
        SchemaOf::Roster => {
            let context = RosterContext {
                providers: provider::KINDS,
                harnesses: harness::KINDS,
                places: harness::PLACES,
                behind_feature: &provider::behind_feature,
            };
            read_roster(&file, &context, &problems);
        }
        SchemaOf::Pack => {
            read_pack(Some(&file), "p", Vec::new(), &problems);
        }
        SchemaOf::Analyze => panic!("nothing reads what analyze prints"),
    }
    let errors = problems.into_vec().into_iter().filter(|one| {
        one.severity == crossbar::source::Severity::Error && !one.message.contains("holds no task")
    });
    errors.map(|one| one_line(&one)).collect()
}

#[test]
fn the_command_prints_each_of_them() {
    let project = crossbar_suites::project::Project::empty();
    for (args, of) in [
        (&["schema"][..], SchemaOf::Task),
        (&["schema", "task"], SchemaOf::Task),
        (&["schema", "roster"], SchemaOf::Roster),
        (&["schema", "pack"], SchemaOf::Pack),
        (&["schema", "analyze"], SchemaOf::Analyze),
    ] {
        let said = project.crossbar(args);
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{said}");
        let printed: Value = serde_json::from_str(&said.stdout).unwrap();
        assert_eq!(printed, text_of(of), "{args:?}");
    }
    assert_eq!(project.crossbar(&["schema", "tasks"]).code, Some(2));
}
