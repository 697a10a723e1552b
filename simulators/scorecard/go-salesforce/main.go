// Calls of go-salesforce against the org that the environment names; one line of JSON a call.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/k-capehart/go-salesforce/v3"
)

type account struct {
	Id    string `json:"Id,omitempty"`
	Name  string `json:"Name,omitempty"`
	Phone string `json:"Phone,omitempty"`
}

type site struct {
	Vendor_Site_Id__c string
	Name              string
}

type call struct {
	name string
	run  func() error
}

func expect(holds bool, what string) error {
	if holds {
		return nil
	}
	return errors.New(what)
}

func finished(sf *salesforce.Salesforce, ids []string, err error) error {
	if err != nil {
		return err
	}
	for _, id := range ids {
		deadline := time.Now().Add(time.Minute)
		for {
			job, err := sf.GetJobResults(id)
			if err != nil {
				return err
			}
			if job.State == "JobComplete" {
				if job.NumberRecordsFailed > 0 {
					return fmt.Errorf("%d records failed", job.NumberRecordsFailed)
				}
				break
			}
			if job.State == "Failed" || time.Now().After(deadline) {
				return fmt.Errorf("job %s: %s", job.State, job.ErrorMessage)
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	return nil
}

func main() {
	url, client := os.Getenv("SF_URL"), os.Getenv("SF_CLIENT_ID")
	var sf *salesforce.Salesforce
	id := ""
	named := func(prefix string) []account {
		found := []account{}
		if err := sf.Query("SELECT Id, Name FROM Account WHERE Name LIKE '"+prefix+"%' ORDER BY Name", &found); err != nil {
			panic(err)
		}
		return found
	}
	calls := []call{
		{"sign-in by client credentials", func() error {
			_, err := salesforce.Init(salesforce.Creds{Domain: url, ConsumerKey: client, ConsumerSecret: os.Getenv("SF_CLIENT_SECRET")})
			return err
		}},
		{"sign-in by JWT", func() error {
			_, err := salesforce.Init(salesforce.Creds{Domain: url, Username: os.Getenv("SF_USERNAME"), ConsumerKey: client, ConsumerRSAPem: os.Getenv("SF_PRIVATE_KEY")})
			return err
		}},
		{"sign-in by access token", func() (err error) {
			sf, err = salesforce.Init(salesforce.Creds{Domain: url, AccessToken: os.Getenv("SF_ACCESS_TOKEN")})
			return err
		}},
		{"InsertOne", func() error {
			result, err := sf.InsertOne("Account", account{Name: "Go One"})
			id = result.Id
			return err
		}},
		{"UpdateOne", func() error { return sf.UpdateOne("Account", account{Id: id, Name: "Go One", Phone: "1"}) }},
		{"UpsertOne", func() error {
			_, err := sf.UpsertOne("Account", "Vendor_Site_Id__c", site{"G-1", "Go Site"})
			return err
		}},
		{"Query", func() error { return expect(len(named("Go")) == 2, "two accounts were expected") }},
		{"DeleteOne", func() error { return sf.DeleteOne("Account", account{Id: id}) }},
		{"InsertCollection", func() error {
			_, err := sf.InsertCollection("Account", []account{{Name: "Many 1"}, {Name: "Many 2"}}, 200)
			return err
		}},
		{"UpdateCollection", func() error {
			_, err := sf.UpdateCollection("Account", []account{{Id: named("Many")[0].Id, Phone: "2"}}, 200)
			return err
		}},
		{"UpsertCollection", func() error {
			_, err := sf.UpsertCollection("Account", "Vendor_Site_Id__c", []site{{"G-1", "Go Site"}, {"G-2", "Go Site 2"}}, 200)
			return err
		}},
		{"DeleteCollection", func() error {
			_, err := sf.DeleteCollection("Account", named("Many"), 200)
			return err
		}},
		{"InsertComposite", func() error {
			_, err := sf.InsertComposite("Account", []account{{Name: "Comp 1"}, {Name: "Comp 2"}}, 200, true)
			return err
		}},
		{"UpdateComposite", func() error {
			_, err := sf.UpdateComposite("Account", []account{{Id: named("Comp")[0].Id, Phone: "3"}}, 200, true)
			return err
		}},
		{"UpsertComposite", func() error {
			_, err := sf.UpsertComposite("Account", "Vendor_Site_Id__c", []site{{"G-3", "Go Site 3"}}, 200, true)
			return err
		}},
		{"DeleteComposite", func() error {
			_, err := sf.DeleteComposite("Account", named("Comp"), 200, true)
			return err
		}},
		{"InsertBulk", func() error {
			ids, err := sf.InsertBulk("Account", []account{{Name: "Bulk 1"}, {Name: "Bulk 2"}}, 1000, true)
			return finished(sf, ids, err)
		}},
		{"UpdateBulk", func() error {
			ids, err := sf.UpdateBulk("Account", []account{{Id: named("Bulk")[0].Id, Name: "Bulk 1", Phone: "4"}}, 1000, true)
			return finished(sf, ids, err)
		}},
		{"UpsertBulk", func() error {
			ids, err := sf.UpsertBulk("Account", "Vendor_Site_Id__c", []site{{"G-4", "Go Site 4"}}, 1000, true)
			return finished(sf, ids, err)
		}},
		{"QueryBulkExport", func() error {
			file := filepath.Join(os.TempDir(), fmt.Sprintf("go-salesforce-%d.csv", os.Getpid()))
			defer os.Remove(file)
			return sf.QueryBulkExport("SELECT Id, Name FROM Account", file)
		}},
		{"QueryBulkIterator", func() error {
			rows, err := sf.QueryBulkIterator("SELECT Id, Name FROM Account")
			if err != nil {
				return err
			}
			count := 0
			for rows.Next() {
				page := []account{}
				if err := rows.Decode(&page); err != nil {
					return err
				}
				count += len(page)
			}
			return expect(count > 0, "rows were expected")
		}},
		{"DeleteBulk", func() error {
			ids, err := sf.DeleteBulk("Account", named("Bulk"), 1000, true)
			return finished(sf, ids, err)
		}},
		{"DoRequest", func() error {
			answer, err := sf.DoRequest("GET", "/limits", nil)
			if err != nil {
				return err
			}
			return expect(answer.StatusCode == 200, answer.Status)
		}},
	}
	for _, each := range calls {
		detail := ""
		if err := each.run(); err != nil {
			detail = err.Error()
		}
		line, _ := json.Marshal(map[string]any{"name": each.name, "passed": detail == "", "detail": detail})
		fmt.Println(string(line))
	}
}
